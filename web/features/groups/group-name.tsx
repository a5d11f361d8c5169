import { type KeyboardEvent, useEffect, useRef } from 'react'
import { GROUP_NAME, type Group, GroupInput } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { ConflictDialog } from '#web/ui/form/conflict-dialog.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { useForm } from '#web/ui/form/form.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useCreateGroup, useRenameGroup } from './groups.api.ts'

interface GroupNameFieldProps {
  form: Form<GroupInput>
  label: string
  confirm: string
  onCancel?: (() => void) | undefined
}

/** A name field with its button. It is used inside forms, so it is not a form and handles Enter itself. */
function GroupNameField({ form, label, confirm, onCancel }: GroupNameFieldProps) {
  const field = useRef<HTMLDivElement>(null)
  const canCancel = onCancel !== undefined
  useEffect(() => {
    if (canCancel) field.current?.querySelector('input')?.select()
  }, [canCancel])
  const submit = () => form.submit(field.current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      submit()
    } else if (event.key === 'Escape' && onCancel) {
      event.stopPropagation()
      onCancel()
    }
  }
  return (
    <div ref={field}>
      <TextField
        form={form}
        name="name"
        label={label}
        error={form.problem}
        max={GROUP_NAME.max}
        placeholder={m.groups_placeholder()}
        onKeyDown={onKeyDown}
        className="w-auto! min-w-44 flex-1"
        after={
          <>
            <Button busy={form.isBusy} onClick={submit}>
              {confirm}
            </Button>
            {onCancel && (
              <Button variant="quiet" onClick={onCancel}>
                {m.common_cancel()}
              </Button>
            )}
          </>
        }
      />
    </div>
  )
}

export function NewGroup({ onCreated, onCancel }: { onCreated: (group: Group) => void; onCancel?: () => void }) {
  const create = useCreateGroup()
  const form = useForm({
    schema: GroupInput,
    initial: { name: '' },
    submit: async ({ name }) => {
      onCreated(await create.mutateAsync(name))
      form.discard()
    },
  })
  return <GroupNameField form={form} label={m.groups_new()} confirm={m.groups_create()} onCancel={onCancel} />
}

export function RenameGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const rename = useRenameGroup(group.id)
  const form = useForm({
    schema: GroupInput,
    stored: group,
    valuesOf: ({ name }) => ({ name }),
    parts: [{ name: 'name', label: m.groups_name(), show: ({ name }) => name }],
    submit: async ({ name }, { ifMatch }) => {
      const renamed = await rename.mutateAsync({ name, ifMatch })
      toastSuccess(m.groups_renamed(), name)
      onClose()
      return renamed
    },
    onUnchanged: onClose,
  })
  return (
    <>
      <GroupNameField form={form} label={m.groups_new_name({ group: group.name })} confirm={m.groups_rename()} onCancel={onClose} />
      <ConflictDialog form={form} />
    </>
  )
}
