import { useState } from 'react'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { lockedReason, unlocks, useEntitlement } from '#web/features/servers/listing/entitlement.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { Field } from '#web/ui/form/field.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { BulkChangeDialog, type ChangeDialogProps } from './bulk-change-dialog.tsx'
import { canChange } from './bulk-changes.ts'

/** Moves servers of one owner: the user's own if any is selected, else those of the first owner who allows it. */
export function GroupDialog(props: ChangeDialogProps) {
  const [first] = useState(() => ownerRow(props.rows))
  return first && <GroupForm {...props} server={first} />
}

function ownerRow(rows: readonly ShownServer[]): ShownServer | undefined {
  return rows.find(({ owner }) => owner === undefined) ?? rows.find((row) => canChange(row, 'group_id', row.user_id)) ?? rows[0]
}

/** No group has this ID. */
const NO_GROUP = 'none'

function GroupForm({ server, ...rest }: ChangeDialogProps & { server: ShownServer }) {
  const [groupId, setGroupId] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { entitlement, error, retry } = useEntitlement(server)
  const isLocked = entitlement !== undefined && !unlocks(entitlement, 'group_id')
  const owner = server.owner?.discord.username
  return (
    <BulkChangeDialog
      {...rest}
      field="group_id"
      ownerId={server.user_id}
      title={m.servers_bulk_move_title}
      confirm={m.servers_bulk_move_confirm()}
      change={() => {
        setMissing(groupId === '')
        return groupId === '' ? undefined : { field: 'group_id', next: () => (groupId === NO_GROUP ? null : groupId) }
      }}
    >
      {error ? (
        <RetryNote onRetry={retry}>{messageOf(error)}</RetryNote>
      ) : (
        <Field
          label={serverField('group_id').label()}
          hint={isLocked ? lockedReason('group_id', owner) : m.servers_listing_group_hint()}
          error={isMissing ? m.servers_bulk_group_required() : undefined}
        >
          {(control) => (
            <select {...control} value={groupId} onChange={(event) => setGroupId(event.target.value)} className="field-input">
              <option value="" disabled>
                {m.servers_bulk_group_choose()}
              </option>
              <option value={NO_GROUP}>{m.servers_listing_group_none()}</option>
              {!isLocked &&
                entitlement?.groups.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </select>
          )}
        </Field>
      )}
    </BulkChangeDialog>
  )
}
