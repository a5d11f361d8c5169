import { useState } from 'react'
import {
  DEFAULT_PUBLIC_EVENTS,
  PUBLIC_EVENT_GROUP_KEYS,
  PUBLIC_EVENT_GROUPS,
  PUBLIC_EVENT_TYPES,
  PUBLIC_EVENTS,
  type PublicEventGroup,
} from '#contract/events/public-events.ts'
import { m } from '#messages'
import { isEqual } from '#web/lib/is-equal.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FieldGroup, NumberField, useField } from '#web/ui/form/fields.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { NumberInput } from '#web/ui/form/number-input.tsx'
import { Options } from '#web/ui/form/option.tsx'
import { inContractOrder, type Unit, UNIT_KEYS, UNITS, unitOf, type WebhookInput } from './webhook-form.ts'

interface FieldProps {
  form: Form<WebhookInput>
}

export function EventFields({ form }: FieldProps) {
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
            onChange={(next) => onChange(next === null ? NaN : next * UNITS[unit])}
            className="max-w-20"
          />
          <select
            aria-label={m.webhooks_form_offline_unit()}
            value={unit}
            onChange={({ target }) => {
              const next = target.value as Unit
              setUnit(next)
              onChange(amount * UNITS[next])
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
