import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { currentOf } from '#web/lib/current-of.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { mergeRows } from '#web/lib/merge.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { type Conflict, ConflictDialog, type ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { GroupNameField, KEEP_TEXT } from './group-name.tsx'
import { replaceGroup, useRenameGroup } from './groups.api.ts'

type Values = Pick<Group, 'name'>

const PARTS: readonly ConflictPart<Values>[] = [{ name: 'name', label: m.groups_name(), fields: ['name'], show: ({ name }) => name }]

/** Keeps what is typed while the group changes elsewhere. */
export function RenameGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const client = useQueryClient()
  const rename = useRenameGroup(group.id)
  // The group as it was when the user began.
  const [base] = useState(group)
  const [conflict, setConflict] = useState<Conflict<Values> & { version: number }>()

  const save = async (name: string, ifMatch: number) => {
    try {
      await rename.mutateAsync({ name, ifMatch })
    } catch (error) {
      const current = currentOf(error) as Group | undefined
      if (current === undefined) throw error
      replaceGroup(client, current)
      const rows = mergeRows<Values, ConflictPart<Values>>(PARTS, base, { name }, current)
      if (rows.length > 0) {
        setConflict({ rows, mine: { name }, theirs: current, version: current.version })
        return KEEP_TEXT
      }
    }
    toastSuccess(m.groups_renamed(), name)
    onClose()
    return undefined
  }
  const resolve = useSingleFlight(async (kept: readonly ConflictPart<Values>[]) => {
    if (conflict === undefined || kept.length === 0) return onClose()
    // The mutation keeps its error for the dialog.
    await save(conflict.mine.name, conflict.version).catch(() => {})
  })

  return (
    <>
      <GroupNameField
        label={m.groups_new_name({ group: group.name })}
        name={base.name}
        submit={m.groups_rename()}
        busy={rename.isPending}
        focusFirst
        onCancel={onClose}
        onSubmit={async (name) => (name === base.name ? onClose() : await save(name, base.version))}
      />
      {conflict && (
        <ConflictDialog
          key={conflict.version}
          conflict={conflict}
          busy={rename.isPending}
          error={rename.error && currentOf(rename.error) === undefined ? messageOf(rename.error) : undefined}
          onResolve={resolve}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  )
}
