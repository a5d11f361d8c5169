import type { Server } from '#contract/servers/servers.ts'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { useDraftKey } from '#web/features/session/use-draft-key.ts'
import { useChangeWebhook } from '#web/features/webhooks/webhook-mutations.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { Form } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { toBody, toInput, type WebhookInput, webhookSchema } from './webhook-form.ts'

interface EditWebhookProps {
  webhook: Webhook
  servers: readonly Server[]
  /** Seconds. */
  minSilence: number
}

export function EditWebhook({ webhook, servers, minSilence }: EditWebhookProps) {
  const change = useChangeWebhook(webhook.id)
  const form = useForm({
    schema: webhookSchema(minSilence),
    stored: webhook,
    valuesOf: toInput,
    draft: useDraftKey(`webhook.${webhook.id}`),
    submit: async (values, { previous }) => {
      const saved = await change.mutateAsync(changedBody(values, previous))
      toastSuccess(m.webhooks_saved())
      return saved
    },
  })
  return (
    <Form form={form}>
      <WebhookFields form={form} servers={servers} isNew={false} />
      <SaveBar form={form} />
      <UnsavedGuard form={form} what={m.webhooks_form_what()} />
    </Form>
  )
}

/** The changed fields of the body. */
export function changedBody(values: WebhookInput, previous: WebhookInput) {
  const before: Record<string, unknown> = toBody(previous)
  return Object.fromEntries(Object.entries(toBody(values)).filter(([name, value]) => !isEqual(value, before[name])))
}
