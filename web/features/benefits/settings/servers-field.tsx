import { useId } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { ServerChecklist, ServerChoice } from '#web/features/servers/server-checklist.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import type { ServerChoice as ServerValues } from './form-values.ts'
import type { SettingsForm } from './use-settings-form.ts'

interface ServersFieldProps {
  form: SettingsForm<ServerValues>
  servers: readonly Server[]
  owner: string | undefined
}

export function ServersField({ form, servers, owner }: ServersFieldProps) {
  const id = useId()
  const { all_servers: isAll, server_ids: ids } = form.values
  const error = form.errors['server_ids']
  return (
    <fieldset data-field="server_ids" aria-describedby={error === undefined ? undefined : `${id}-error`} className="relative min-w-0">
      <legend className="mb-1.5 text-13 font-medium">{m.nav_servers()}</legend>
      <div className="overflow-hidden rounded-6 border border-line">
        <ServerChoice
          name={id}
          isOn={isAll}
          onChoose={() => form.change({ all_servers: true, server_ids: ids })}
          title={owner === undefined ? m.benefits_servers_all() : m.benefits_servers_all_of({ owner })}
          note={owner === undefined ? m.benefits_servers_all_hint() : m.benefits_servers_all_hint_owner({ owner })}
        />
        <ServerChoice
          name={id}
          isOn={!isAll}
          onChoose={() => form.change({ all_servers: false, server_ids: ids })}
          title={m.benefits_servers_selected()}
          note={isAll ? undefined : m.benefits_servers_selected_count({ count: ids.length, max: servers.length })}
        >
          <ServerChecklist servers={servers} ids={ids} onChange={(server_ids) => form.change({ all_servers: false, server_ids })} />
        </ServerChoice>
      </div>
      {!isAll && ids.length === 0 && servers.length > 0 && <WarnNote className="mt-2">{m.benefits_servers_none_selected()}</WarnNote>}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  )
}
