import { useQueryClient } from '@tanstack/react-query'
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { counted } from '#web/ui/count-text.ts'
import { WarnNote } from '#web/ui/note.tsx'
import { BulkBar, type BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import { BulkBanDialog } from '#web/ui/table/bulk-ban-dialog.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-list-table.ts'
import { banUser, USER_BAN_REASONS } from './ban-user.tsx'

/** Your own account is never banned in bulk. */
export function BulkBanUsers({ selection, myId }: { selection: Selection<AdminUserRow>; myId: string }) {
  const client = useQueryClient()
  const { rows } = selection
  const others = rows.filter(({ id }) => id !== myId)
  return (
    <BulkBar
      selection={selection}
      countText={m.count_users}
      actions={[
        {
          label: m.users_ban_many_ask(),
          isDanger: true,
          rows: others,
          dialog: (target) => <BanMany {...target} isSelfSelected={others.length < rows.length} />,
        },
        {
          label: m.common_ban_lift_many_ask(),
          rows: rows.filter(({ banned }) => banned),
          dialog: (target) => <LiftMany {...target} />,
        },
      ]}
      onDone={() => void client.invalidateQueries({ queryKey: ['admin'] })}
    />
  )
}

function BanMany({ isSelfSelected, ...target }: BulkTarget<AdminUserRow> & { isSelfSelected: boolean }) {
  const admins = target.rows.filter(isAdmin).length
  const banned = target.rows.filter((row) => row.banned).length
  const items = m.count_users(counted(target.rows.length))
  return (
    <BulkBanDialog
      {...target}
      resultText={m.users_bulk_banned}
      title={m.common_ban_title({ name: items })}
      confirm={m.common_ban_many({ items })}
      reasons={USER_BAN_REASONS}
      hint={m.users_bulk_ban_reason_hint()}
      ban={({ id }, { reason, banned_until }) => banUser(id, { banned: true, banReason: reason, banned_until })}
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

function LiftMany(target: BulkTarget<AdminUserRow>) {
  return (
    <BulkDialog
      {...target}
      resultText={m.users_bulk_lifted}
      title={m.common_ban_lift_many_title({ items: m.count_users(counted(target.rows.length)) })}
      confirm={m.common_ban_lift_many()}
      action={({ id }) => banUser(id, { banned: false })}
    >
      <p>{m.users_bulk_lift_explained()}</p>
    </BulkDialog>
  )
}
