/** The forms of a new webhook and of a stored one. */
import { useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import type { Webhook, WebhookWithSecret } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { useDraftKey } from '#web/features/session/session.api.ts'
import { useWebhookTest } from '#web/features/webhooks/deliveries/test-result.tsx'
import { SecretPanel } from '#web/features/webhooks/secret.tsx'
import { useChangeWebhook, useCreateWebhook } from '#web/features/webhooks/webhooks.api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Form, FormNotes, useForm } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { changedBody, newInput, toBody, toInput, webhookSchema } from './webhook-form.ts'

interface EditorProps {
  servers: readonly Server[]
  /** Seconds. */
  minSilence: number
}

/** The form, then the secret and a test. The secret is only in this component's state. @param server chosen by the address */
export function NewWebhook({ servers, server, minSilence }: EditorProps & { server: Server | undefined }) {
  const [created, setCreated] = useState<WebhookWithSecret>()
  const create = useCreateWebhook()
  const form = useForm({
    schema: webhookSchema(minSilence),
    initial: newInput(server),
    draft: useDraftKey(server === undefined ? 'webhook.new' : `webhook.new.${server.public_id}`),
    submit: async (values) => {
      const webhook = await create.mutateAsync({ ...toBody(values), enabled: true })
      toastSuccess(m.webhooks_created(), webhook.name)
      setCreated(webhook)
    },
  })
  if (created !== undefined) return <CreatedWebhook webhook={created} />
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

/** Its secret, if it has one, and a test. */
function CreatedWebhook({ webhook: { id, secret } }: { webhook: WebhookWithSecret }) {
  const title = useRef<HTMLHeadingElement>(null)
  const test = useWebhookTest(id)
  const navigate = useNavigate()
  const open = () => navigate({ to: '/settings/webhooks/$webhook_id', params: { webhook_id: id }, replace: true, ignoreBlocker: true })
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
      <Button variant="primary" className="mt-6 max-sm:w-full" onClick={() => void open()}>
        {secret === null ? m.webhooks_created_open() : m.webhooks_secret_stored()}
      </Button>
    </Card>
  )
}

export function EditWebhook({ webhook, servers, minSilence }: EditorProps & { webhook: Webhook }) {
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
