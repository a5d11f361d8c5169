import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import type { WebhookWithSecret } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { useDraftKey } from '#web/features/session/use-draft-key.ts'
import { useWebhookTest } from '#web/features/webhooks/deliveries/test-result.tsx'
import { SecretPanel } from '#web/features/webhooks/secret.tsx'
import { useCreateWebhook } from '#web/features/webhooks/webhook-mutations.ts'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Form, FormNotes } from '#web/ui/form/form.tsx'
import { UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { newInput, toBody, webhookSchema } from './webhook-form.ts'

interface NewWebhookProps {
  servers: readonly Server[]
  /** Chosen by the address. */
  server: Server | undefined
  /** Seconds. */
  minSilence: number
}

/** The form, then the secret and a test. The secret is only in this component's state. */
export function NewWebhook({ servers, server, minSilence }: NewWebhookProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [created, setCreated] = useState<WebhookWithSecret>()
  const open = ({ id }: WebhookWithSecret) =>
    navigate({ to: '/settings/webhooks/$webhook_id', params: { webhook_id: id }, replace: true, ignoreBlocker: true })
  const onCreated = (webhook: WebhookWithSecret) => {
    toastSuccess(m.webhooks_created(), webhook.name)
    void client.invalidateQueries({ queryKey: webhooksOptions.queryKey, exact: true })
    setCreated(webhook)
  }
  if (created !== undefined) return <CreatedWebhook webhook={created} onDone={() => void open(created)} />
  return <NewWebhookForm servers={servers} server={server} minSilence={minSilence} onCreated={onCreated} />
}

/** Its secret, if it has one, and a test. */
function CreatedWebhook({ webhook: { id, secret }, onDone }: { webhook: WebhookWithSecret; onDone: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  const test = useWebhookTest(id)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  return (
    <Card title={secret === null ? m.webhooks_created() : m.webhooks_secret_title()} titleRef={title}>
      <div className="mt-4 space-y-4">
        {secret !== null && <SecretPanel secret={secret} />}
        <p className="text-pretty text-ink-2">{m.webhooks_created_test()}</p>
        {test.result}
        <Button icon={<Send size={15} aria-hidden="true" />} busy={test.isPending} onClick={test.send} className="max-sm:w-full">
          {m.webhooks_test()}
        </Button>
      </div>
      <Button variant="primary" className="mt-6 max-sm:w-full" onClick={onDone}>
        {secret === null ? m.webhooks_created_open() : m.webhooks_secret_stored()}
      </Button>
    </Card>
  )
}

interface NewWebhookFormProps extends NewWebhookProps {
  onCreated: (webhook: WebhookWithSecret) => void
}

function NewWebhookForm({ servers, server, minSilence, onCreated }: NewWebhookFormProps) {
  const create = useCreateWebhook()
  const form = useForm({
    schema: webhookSchema(minSilence),
    initial: newInput(server),
    draft: useDraftKey(server === undefined ? 'webhook.new' : `webhook.new.${server.public_id}`),
    submit: async (values) => onCreated(await create.mutateAsync({ ...toBody(values), enabled: true })),
  })
  return (
    <Form form={form}>
      <WebhookFields form={form} servers={servers} isNew />
      <FormNotes form={form} className="mt-5" />
      <Button type="submit" variant="primary" busy={form.isBusy} className="mt-5 max-sm:w-full">
        {m.webhooks_create()}
      </Button>
      <UnsavedGuard form={form} dirty={form.isDirty && !form.isBusy} what={m.webhooks_form_what()} />
    </Form>
  )
}
