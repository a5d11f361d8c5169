import { useState } from 'react'
import {
  DEFAULT_PUBLIC_EVENTS,
  PUBLIC_EVENT_GROUP_KEYS,
  PUBLIC_EVENT_GROUPS,
  PUBLIC_EVENT_TYPES,
  PUBLIC_EVENTS,
  type PublicEventGroup,
} from '#contract/events/public-events.ts'
import type { Server } from '#contract/servers/servers.ts'
import { readDiscordWebhookUrl, WEBHOOK_LIMITS } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { ServersField } from '#web/features/servers/servers-field.tsx'
import { KIND_NAMES, KindIcon } from '#web/features/webhooks/webhook-parts.tsx'
import { isEqual } from '#web/lib/merge.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldGroup, NumberField, NumberInput, TextField, useField } from '#web/ui/form/fields.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { Option, Options } from '#web/ui/form/option.tsx'
import { inContractOrder, type Unit, UNIT_KEYS, unitOf, UNITS, type WebhookInput } from './webhook-form.ts'

interface FieldProps {
  form: Form<WebhookInput>
}

const KINDS = [
  { kind: 'discord', hint: m.webhooks_form_kind_discord_hint() },
  { kind: 'standard', hint: m.webhooks_form_kind_standard_hint() },
] as const

/** @param isNew the kind of a webhook never changes, so only a new one has this choice */
export function WebhookFields({ form, servers, isNew }: FieldProps & { servers: readonly Server[]; isNew: boolean }) {
  return (
    <div className="space-y-5">
      <div className="card space-y-5 p-5">
        {isNew && (
          <FieldGroup legend={m.webhooks_form_kind()}>
            <div className="grid gap-3 sm:grid-cols-2">
              {KINDS.map(({ kind, hint }) => (
                <Option
                  key={kind}
                  type="radio"
                  name="kind"
                  checked={form.values.kind === kind}
                  onChange={() => form.change({ kind })}
                  title={<span className="font-medium">{KIND_NAMES[kind]}</span>}
                  hint={hint}
                  icon={<KindIcon kind={kind} size={20} />}
                  className="rounded-6 border border-line-strong has-checked:border-accent has-checked:bg-surface-2"
                />
              ))}
            </div>
          </FieldGroup>
        )}
        <UrlField form={form} canChangeKind={isNew} />
        <TextField
          form={form}
          name="name"
          label={m.webhooks_form_name()}
          hint={m.webhooks_form_name_hint()}
          maxLength={WEBHOOK_LIMITS.name.max * 2}
          placeholder={m.webhooks_form_name_placeholder()}
        />
      </div>
      <div className="card p-5">
        <EventFields form={form} />
      </div>
      <div className="card p-5">
        <ServersField form={form} name="server_ids" legend={m.webhooks_form_servers()} legendClass="mb-3" servers={servers} />
      </div>
    </div>
  )
}

function UrlField({ form, canChangeKind }: FieldProps & { canChangeKind: boolean }) {
  const { kind, url } = form.values
  const isDiscord = kind === 'discord'
  const isOtherKind = canChangeKind && !isDiscord && readDiscordWebhookUrl(url.trim()) !== undefined
  return (
    <div>
      <TextField
        form={form}
        name="url"
        label={isDiscord ? m.webhooks_form_url_discord() : m.webhooks_form_url()}
        hint={isDiscord ? m.webhooks_form_url_discord_hint() : m.webhooks_form_url_hint()}
        type="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={isDiscord ? 'https://discord.com/api/webhooks/…' : 'https://example.com/webhooks'}
        className="font-mono text-13"
      />
      {isOtherKind && (
        <p role="status" className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-13 text-ink-2">
          {m.webhooks_form_url_is_discord()}
          <Button onClick={() => form.change({ kind: 'discord' })}>{m.webhooks_form_use_discord()}</Button>
        </p>
      )}
    </div>
  )
}

interface FieldProps {
  form: Form<WebhookInput>
}

function EventFields({ form }: FieldProps) {
  const field = useField(form, 'events')
  const presets = [
    { label: m.webhooks_form_events_recommended(), types: DEFAULT_PUBLIC_EVENTS },
    { label: m.webhooks_form_events_all(), types: PUBLIC_EVENT_TYPES },
    { label: m.webhooks_form_events_none(), types: [] },
  ]
  return (
    <>
      <FieldGroup legend={m.webhooks_form_events()} error={field.error} className="">
        <div className="mt-0.5 mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p role="status" className="text-13 text-ink-2 tabular-nums">
            {m.webhooks_form_selected({ count: field.value.length, max: PUBLIC_EVENT_TYPES.length })}
          </p>
          <div role="group" aria-label={m.webhooks_form_events_presets()} className="flex flex-wrap">
            {presets.map(({ label, types }) => (
              <Button
                key={label}
                variant="quiet"
                className="px-2"
                aria-pressed={isEqual(field.value, inContractOrder(types))}
                onClick={() => form.change({ events: inContractOrder(types) })}
              >
                {label}
              </Button>
            ))}
          </div>
        </div>
        <div className="divide-y divide-line rounded-6 border border-line">
          {PUBLIC_EVENT_GROUP_KEYS.map((group) => (
            <EventGroup key={group} group={group} form={form} />
          ))}
        </div>
      </FieldGroup>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <OfflineField key={form.discards} form={form} />
        {field.value.includes('players.threshold') && (
          <NumberField form={form} name="players_above" label={m.webhooks_form_players()} empty={null} placeholder="100" />
        )}
      </div>
    </>
  )
}

function EventGroup({ group, form }: FieldProps & { group: PublicEventGroup }) {
  const field = useField(form, 'events')
  const types = PUBLIC_EVENT_TYPES.filter((type) => PUBLIC_EVENTS[type].group === group)
  const count = types.filter((type) => field.value.includes(type)).length
  return (
    <details open={group === 'server'}>
      <summary className="cursor-pointer rounded-6 px-3 py-2.5 font-medium -outline-offset-2 hover:bg-surface-2/50">
        {PUBLIC_EVENT_GROUPS[group]()}
        <span className="float-right text-13 font-normal text-ink-2 tabular-nums">
          {m.webhooks_form_group_count({ count, max: types.length })}
        </span>
      </summary>
      <div className="grid gap-x-4 pb-2 sm:grid-cols-2">
        <Options
          keys={PUBLIC_EVENT_TYPES}
          shown={types}
          field={field}
          titleOf={(type) => PUBLIC_EVENTS[type].title()}
          hintOf={(type) => PUBLIC_EVENTS[type].description()}
          optionClass="py-2"
        />
      </div>
    </details>
  )
}

const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  hours: m.webhooks_form_unit_hours(),
  minutes: m.webhooks_form_unit_minutes(),
  seconds: m.webhooks_form_unit_seconds(),
}

/** A duration in a unit. The value is in seconds. */
function OfflineField({ form }: FieldProps) {
  const { value: seconds, error, onChange, ...field } = useField(form, 'offline_after_seconds')
  const [unit, setUnit] = useState(() => unitOf(seconds))
  const amount = seconds / UNITS[unit]
  return (
    <Field label={m.webhooks_form_offline()} error={error}>
      {(control) => (
        <div className="flex gap-2">
          <NumberInput
            {...control}
            {...field}
            value={amount}
            onChange={(next) => onChange(next === null ? NaN : Math.round(next * UNITS[unit]))}
            className="max-w-20"
          />
          <select
            aria-label={m.webhooks_form_offline_unit()}
            value={unit}
            onChange={({ target }) => {
              const next = target.value as Unit
              setUnit(next)
              onChange(Math.round(amount * UNITS[next]))
            }}
            className="field-input min-w-0 flex-1"
          >
            {UNIT_KEYS.toReversed().map((key) => (
              <option key={key} value={key}>
                {UNIT_NAMES[key]}
              </option>
            ))}
          </select>
        </div>
      )}
    </Field>
  )
}
