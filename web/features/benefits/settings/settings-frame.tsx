import type { ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
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
          <h2 className="mb-3 text-12 text-ink-3">{m.benefits_form_preview_players()}</h2>
          {preview}
        </aside>
      </div>
      <SaveBar form={form} />
      <ConflictDialog form={form} />
      <UnsavedGuard form={form} what={m.benefits_form_these_settings()} />
    </Form>
  )
}
