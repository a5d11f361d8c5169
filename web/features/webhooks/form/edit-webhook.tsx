import type { Server } from '#contract/servers/servers.ts'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { useChangeWebhook } from '#web/features/webhooks/webhook-mutations.ts'
import { Form } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useWebhookForm } from './use-webhook-form.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { changedBody, toInput } from './webhook-input.ts'

interface EditWebhookProps {
  webhook: Webhook
  servers: readonly Server[]
  /** Seconds. */
  minSilence: number
}

export function EditWebhook({ webhook, servers, minSilence }: EditWebhookProps) {
  const change = useChangeWebhook(webhook.id)
  const saved = toInput(webhook)
  const form = useWebhookForm({
    draft: `webhook.${webhook.id}`,
    saved,
    minSilence,
    isBusy: change.isPending,
    send: async (values) => {
      await change.mutateAsync(changedBody(values, saved))
      toastSuccess(m.webhooks_saved())
    },
  })
  return (
    <Form onSubmit={form.save}>
      <WebhookFields form={form} servers={servers} isNew={false} />
      {form.isDirty && <SaveBar busy={form.isBusy} isRestored={form.isRestored} problem={form.errors.root} onDiscard={form.discard} />}
      <UnsavedGuard dirty={form.isDirty} onLeave={form.discardDraft} what={m.webhooks_form_what()} />
    </Form>
  )
}
