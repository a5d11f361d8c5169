import { useId } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { ServerChecklist, ServerChoice } from '#web/features/servers/server-checklist.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import type { WebhookForm } from './use-webhook-form.ts'

export function ServerFields({ form, servers }: { form: WebhookForm; servers: readonly Server[] }) {
  const id = useId()
  const { all_servers: isAll } = form.values
  // The backend keeps the IDs of deleted servers.
  const ids = form.values.server_ids.filter((each) => servers.some(({ public_id }) => public_id === each))
  const error = form.errors.server_ids
  return (
    <fieldset data-field="server_ids" aria-describedby={error === undefined ? undefined : `${id}-error`} className="relative min-w-0">
      <legend className="mb-3 font-medium">{m.webhooks_form_servers()}</legend>
      <div className="overflow-hidden rounded-6 border border-line">
        <ServerChoice
          name={id}
          isOn={isAll}
          onChoose={() => form.change({ all_servers: true, server_ids: form.values.server_ids })}
          title={m.benefits_servers_all()}
          note={m.benefits_servers_all_hint()}
        />
        <ServerChoice
          name={id}
          isOn={!isAll}
          onChoose={() => form.change({ all_servers: false, server_ids: ids })}
          title={m.benefits_servers_selected()}
          note={isAll ? undefined : m.benefits_servers_selected_count({ count: ids.length, max: servers.length })}
        >
          <ServerChecklist servers={servers} ids={ids} onChange={(server_ids) => form.change({ server_ids, all_servers: false })} />
        </ServerChoice>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  )
}
