import { useState } from 'react'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { lockedReason, unlocks, useEntitlement } from '#web/features/servers/listing/entitlement.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { Field } from '#web/ui/form/fields.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { BulkChangeDialog, type ChangeDialogProps } from './bulk-change-dialog.tsx'
import { canChange } from './bulk-changes.ts'

/** The user's own if any is selected, else that of the first owner who allows the move. A selection is never empty. */
function leadingServer(rows: readonly ShownServer[]): ShownServer {
  return (rows.find(({ owner }) => owner === undefined) ??
    rows.find((row) => canChange(row, 'group_id', row.user_id)) ??
    rows[0]) as ShownServer
}

/** No group has this ID. */
const NO_GROUP = 'none'

/** Moves servers of one owner. */
export function GroupDialog(props: ChangeDialogProps) {
  const [server] = useState(() => leadingServer(props.rows))
  const [groupId, setGroupId] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { entitlement, error, retry } = useEntitlement(server)
  const isLocked = entitlement !== undefined && !unlocks(entitlement, 'group_id')
  const owner = server.owner?.discord.username
  return (
    <BulkChangeDialog
      {...props}
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
