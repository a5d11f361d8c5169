import { useId } from 'react'
import { WEBHOOK_LIMITS, type WebhookKind, readDiscordWebhookUrl } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { KIND_NAMES, KindIcon } from '#web/features/webhooks/webhook-kind.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/form/field.tsx'
import type { WebhookForm } from './use-webhook-form.ts'

interface FieldProps {
  form: WebhookForm
}

/** The kind of a webhook never changes, so only a new one has this choice. */
export function KindField({ form }: FieldProps) {
  return (
    <fieldset data-field="kind" className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">{m.webhooks_form_kind()}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <KindCard form={form} kind="discord" hint={m.webhooks_form_kind_discord_hint()} />
        <KindCard form={form} kind="standard" hint={m.webhooks_form_kind_standard_hint()} />
      </div>
    </fieldset>
  )
}

function KindCard({ form, kind, hint }: FieldProps & { kind: WebhookKind; hint: string }) {
  const name = useId()
  const isOn = form.values.kind === kind
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is two levels down
    <label
      className={cx(
        'flex cursor-pointer items-start gap-3 rounded-6 border p-3 transition-colors duration-100',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        isOn ? 'border-accent bg-surface-2' : 'border-line-strong hover:border-line-strong',
      )}
    >
      <input
        type="radio"
        name={`kind${name}`}
        checked={isOn}
        onChange={() => form.change({ kind })}
        aria-labelledby={`${name}-name`}
        aria-describedby={`${name}-hint`}
        className="mt-1 size-4 shrink-0 accent-(--accent) outline-none"
      />
      <span className="min-w-0 flex-1">
        <span id={`${name}-name`} className="font-medium">
          {KIND_NAMES[kind]}
        </span>
        <span id={`${name}-hint`} className="block text-13 text-ink-2">
          {hint}
        </span>
      </span>
      <span className={isOn ? 'text-accent' : 'text-ink-3'}>
        <KindIcon kind={kind} size={20} />
      </span>
    </label>
  )
}

export function NameField({ form }: FieldProps) {
  return (
    <div data-field="name">
      <Field label={m.webhooks_form_name()} hint={m.webhooks_form_name_hint()} error={form.errors.name}>
        {(control) => (
          <input
            {...control}
            value={form.values.name}
            onChange={(event) => form.change({ name: event.target.value })}
            onBlur={() => form.touch('name')}
            autoComplete="off"
            maxLength={WEBHOOK_LIMITS.name.max * 2}
            placeholder={m.webhooks_form_name_placeholder()}
            className="field-input"
          />
        )}
      </Field>
    </div>
  )
}

export function UrlField({ form, canChangeKind }: FieldProps & { canChangeKind: boolean }) {
  const { kind, url } = form.values
  const isDiscord = kind === 'discord'
  const isOtherKind = canChangeKind && !isDiscord && readDiscordWebhookUrl(url.trim()) !== undefined
  return (
    <div data-field="url">
      <Field
        label={isDiscord ? m.webhooks_form_url_discord() : m.webhooks_form_url()}
        hint={isDiscord ? m.webhooks_form_url_discord_hint() : m.webhooks_form_url_hint()}
        error={form.errors.url}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            value={url}
            onChange={(event) => form.change({ url: event.target.value })}
            onBlur={() => url !== '' && form.touch('url')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={isDiscord ? 'https://discord.com/api/webhooks/…' : 'https://example.com/webhooks'}
            className="field-input font-mono text-13"
          />
        )}
      </Field>
      {isOtherKind && (
        <p role="status" className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-13 text-ink-2">
          {m.webhooks_form_url_is_discord()}
          <Button onClick={() => form.change({ kind: 'discord' })}>{m.webhooks_form_use_discord()}</Button>
        </p>
      )}
    </div>
  )
}
