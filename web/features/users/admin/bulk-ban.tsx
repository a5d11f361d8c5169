import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserRow } from '#contract/users-admin.ts'
import { m } from '#messages'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { Button } from '#web/ui/button.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import { BulkBanDialog } from '#web/ui/table/bulk-ban-dialog.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { banUser, USER_BAN_REASONS } from './ban-user.tsx'

const NOUNS = ['user', 'users'] as const

/** What can be done with several people at once. You can't ban yourself along with others. */
export function BulkBanUsers({ selection, myId }: { selection: Selection<AdminUserRow>; myId: string }) {
  // Who was selected when it was asked for: the selection goes on under the dialog.
  const [asked, setAsked] = useState<{ act: 'ban' | 'lift'; rows: readonly AdminUserRow[] }>()
  const client = useQueryClient()
  const { rows } = selection
  const others = rows.filter((row) => row.id !== myId)
  const banned = rows.filter((row) => row.banned)
  const Many = asked?.act === 'ban' ? BanMany : LiftMany
  return (
    <>
      <BulkBar count={rows.length} countText={m.count_users} onClear={selection.clear}>
        <Button look="danger" disabled={others.length === 0} onClick={() => setAsked({ act: 'ban', rows: others })}>
          Ban…
        </Button>
        <Button disabled={banned.length === 0} onClick={() => setAsked({ act: 'lift', rows: banned })}>
          Lift bans…
        </Button>
      </BulkBar>
      {asked && (
        <Many
          rows={asked.rows}
          isWithoutMe={others.length < rows.length}
          onDone={(failed) => {
            selection.keep(failed)
            void client.invalidateQueries({ queryKey: ['admin'] })
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

interface ManyProps {
  rows: readonly AdminUserRow[]
  /** Whoever asks was selected too. */
  isWithoutMe: boolean
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

const common = { idOf: (row: AdminUserRow) => row.id, nameOf: (row: AdminUserRow) => row.discord.username }
const counted = (rows: readonly unknown[]) => `${rows.length} ${NOUNS[rows.length === 1 ? 0 : 1]}`

function BanMany({ isWithoutMe, ...props }: ManyProps) {
  const admins = props.rows.filter(isAdmin).length
  const standing = props.rows.filter(({ banned }) => banned).length
  return (
    <BulkBanDialog
      resultText={m.users_bulk_banned}
      title={`Ban ${counted(props.rows)}?`}
      confirm="Ban"
      reasons={USER_BAN_REASONS}
      hint="Each of them reads it."
      ban={({ id }, { reason, banned_until }) => banUser(id, { banned: true, banReason: reason, banned_until })}
      {...common}
      {...props}
    >
      <p>
        Their servers leave the list at once, and they can do nothing more here than read the reason and the end.
        {standing > 0 &&
          ` ${standing} of them ${standing === 1 ? 'is' : 'are'} banned already and will have this end, and this reason where you give one.`}
      </p>
      {admins > 0 && (
        <WarnNote>{`${admins} of them ${admins === 1 ? 'is an administrator' : 'are administrators'}: look whom you ban.`}</WarnNote>
      )}
      {isWithoutMe && <p>You are selected too, and are left out.</p>}
    </BulkBanDialog>
  )
}

function LiftMany({ isWithoutMe: _isWithoutMe, ...props }: ManyProps) {
  return (
    <BulkDialog
      resultText={m.users_bulk_lifted}
      title={`Lift the bans of ${counted(props.rows)}?`}
      confirm="Lift bans"
      act={({ id }) => banUser(id, { banned: false })}
      {...common}
      {...props}
    >
      <p>They can use everything again at once, and their servers are back on the list with their next announce.</p>
    </BulkDialog>
  )
}
