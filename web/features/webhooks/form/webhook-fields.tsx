import '#web/features/webhooks/webhooks.css'
import type { Server } from '#contract/servers/servers.ts'
import { KindField, NameField, UrlField } from './destination-fields.tsx'
import { EventFields } from './event-fields.tsx'
import { ServerFields } from './server-fields.tsx'
import type { WebhookForm } from './use-webhook-form.ts'

interface WebhookFieldsProps {
  form: WebhookForm
  servers: readonly Server[]
  isNew: boolean
}

export function WebhookFields({ form, servers, isNew }: WebhookFieldsProps) {
  return (
    <div className="space-y-5">
      <div className="card space-y-5 p-5">
        {isNew && <KindField form={form} />}
        <UrlField form={form} canChangeKind={isNew} />
        <NameField form={form} />
      </div>
      <div className="card p-5">
        <EventFields form={form} />
      </div>
      <div className="card p-5">
        <ServerFields form={form} servers={servers} />
      </div>
    </div>
  )
}
