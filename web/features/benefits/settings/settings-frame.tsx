import { type ReactNode, useId } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { ServersField } from '#web/features/servers/servers-field.tsx'
import { ConflictDialog } from '#web/ui/form/conflict-dialog.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import type { Form as FormState } from '#web/ui/form/form-options.ts'
import type { SettingsOwner } from './settings-owner.ts'

interface SettingsFrameProps<T extends FieldValues> {
  form: FormState<T>
  owner: SettingsOwner
  fields: ReactNode
  preview: ReactNode
}

export function SettingsFrame<T extends FieldValues>({ form, owner, fields, preview }: SettingsFrameProps<T>) {
  return (
    <Form form={form}>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,460px)]">
        <div className="card min-w-0 space-y-6 p-4 sm:p-5">
          {fields}
          <ServersField
            form={form}
            name={'server_ids' as Path<T>}
            legend={m.nav_servers()}
            servers={owner.servers}
            owner={owner.name}
            noneNote={m.benefits_servers_none_selected()}
          />
        </div>
        <aside
          aria-label={m.benefits_form_preview()}
          className="w-full max-w-[560px] min-w-0 justify-self-center lg:sticky lg:top-6 lg:max-w-none"
        >
          {preview}
        </aside>
      </div>
      <SaveBar form={form} />
      <ConflictDialog form={form} />
      <UnsavedGuard form={form} what={m.benefits_form_these_settings()} />
    </Form>
  )
}

export function PreviewHeader({ servers, value, onChange }: { servers: readonly Server[]; value: string; onChange: (id: string) => void }) {
  const id = useId()
  return (
    <div className="mb-2 flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <h2 className="text-12 text-ink-3">{m.benefits_form_preview_players()}</h2>
      {servers.length > 1 && (
        <span className="flex min-w-0 items-center gap-2">
          <label htmlFor={id} className="text-12 text-ink-3">
            {m.benefits_form_preview_server()}
          </label>
          <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className="field-input max-w-52 text-13">
            {servers.map(({ public_id, name }) => (
              <option key={public_id} value={public_id}>
                {name}
              </option>
            ))}
          </select>
        </span>
      )}
    </div>
  )
}
