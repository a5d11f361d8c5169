import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { Button } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { WarnNote } from '#web/ui/note.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import { BulkBanDialog } from '#web/ui/table/bulk-ban-dialog.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-list-table.ts'
import { banUser, USER_BAN_REASONS } from './ban-user.tsx'

/** Your own account is never banned in bulk. */
export function BulkBanUsers({ selection, myId }: { selection: Selection<AdminUserRow>; myId: string }) {
  // A snapshot: the selection may change while the dialog is open.
  const [dialog, setDialog] = useState<{ action: 'ban' | 'lift'; rows: readonly AdminUserRow[] }>()
  const client = useQueryClient()
  const { rows } = selection
  const others = rows.filter((row) => row.id !== myId)
  const banned = rows.filter((row) => row.banned)
  const Dialog = dialog?.action === 'ban' ? BulkBan : BulkLift
  return (
    <>
      <BulkBar count={rows.length} countText={m.count_users} onClear={selection.clear}>
        <Button variant="danger" disabled={others.length === 0} onClick={() => setDialog({ action: 'ban', rows: others })}>
          {m.users_ban_many_ask()}
        </Button>
        <Button disabled={banned.length === 0} onClick={() => setDialog({ action: 'lift', rows: banned })}>
          {m.common_ban_lift_many_ask()}
        </Button>
      </BulkBar>
      {dialog && (
        <Dialog
          rows={dialog.rows}
          isSelfSelected={others.length < rows.length}
          onDone={(failed) => {
            selection.keep(failed)
            void client.invalidateQueries({ queryKey: ['admin'] })
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}

interface BulkProps {
  rows: readonly AdminUserRow[]
  isSelfSelected: boolean
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

const ROW = { idOf: (row: AdminUserRow) => row.id, nameOf: (row: AdminUserRow) => row.discord.username }

function BulkBan({ isSelfSelected, ...props }: BulkProps) {
  const admins = props.rows.filter(isAdmin).length
  const banned = props.rows.filter((row) => row.banned).length
  const items = m.count_users(counted(props.rows.length))
  return (
    <BulkBanDialog
      resultText={m.users_bulk_banned}
      title={m.common_ban_title({ name: items })}
      confirm={m.common_ban_many({ items })}
      reasons={USER_BAN_REASONS}
      hint={m.users_bulk_ban_reason_hint()}
      ban={({ id }, { reason, banned_until }) => banUser(id, { banned: true, banReason: reason, banned_until })}
      {...ROW}
      {...props}
    >
      <p>
        {m.users_bulk_ban_explained()}
        {banned > 0 && ` ${m.common_ban_many_existing(counted(banned))}`}
      </p>
      {admins > 0 && <WarnNote>{m.users_bulk_ban_admins(counted(admins))}</WarnNote>}
      {isSelfSelected && <p>{m.users_bulk_ban_self()}</p>}
    </BulkBanDialog>
  )
}

function BulkLift({ isSelfSelected: _isSelfSelected, ...props }: BulkProps) {
  return (
    <BulkDialog
      resultText={m.users_bulk_lifted}
      title={m.common_ban_lift_many_title({ items: m.count_users(counted(props.rows.length)) })}
      confirm={m.common_ban_lift_many()}
      action={({ id }) => banUser(id, { banned: false })}
      {...ROW}
      {...props}
    >
      <p>{m.users_bulk_lift_explained()}</p>
    </BulkDialog>
  )
}
