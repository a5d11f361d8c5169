import type { Server } from '#contract/servers/servers.ts'
import { WEBHOOK_LIMITS, readDiscordWebhookUrl } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { ServersField } from '#web/features/servers/servers-field.tsx'
import { KIND_NAMES, KindIcon } from '#web/features/webhooks/webhook-parts.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldGroup, TextField } from '#web/ui/form/fields.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { Option } from '#web/ui/form/option.tsx'
import { EventFields } from './event-fields.tsx'
import type { WebhookInput } from './webhook-form.ts'

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
