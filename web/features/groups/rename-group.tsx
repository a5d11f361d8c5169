import { type Group, GroupInput } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { ConflictDialog } from '#web/ui/form/conflict-dialog.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { GroupNameField } from './group-name.tsx'
import { useRenameGroup } from './groups.api.ts'

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
