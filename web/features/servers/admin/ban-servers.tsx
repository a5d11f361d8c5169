import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { m } from '#messages'
import { MutationDialog } from '#web/ui/mutation-dialog.tsx'
import { BanDialog } from '#web/ui/ban-dialog.tsx'
import type { BanReasons } from '#web/ui/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { BulkBanDialog } from '#web/ui/table/bulk-ban-dialog.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { banServer, invalidateAllServers, useBanServer } from './admin-server.api.ts'

const REASONS: BanReasons = [
  ['Misleading name', 'The name pretends to be another server. Give it a name of its own and write to us.'],
  ['False player counts', 'The player counts that the server announces are not true.'],
  ['Offensive listing', 'The name, the description or the pictures break the rules of the list.'],
  ['Harms players', 'Joining the server harms players or what they own.'],
]

export function BanServerDialog({ server, onClose }: { server: AdminServer; onClose: () => void }) {
  // As it was when it was asked for: the answer comes before the dialog goes.
  const [{ banned, ban_reason: reason, banned_until: until, name, owner }] = useState(server)
  const ban = useBanServer(server.public_id)
  return (
    <BanDialog
      title={banned ? `Change the ban of ${name}` : `Ban ${name}?`}
      explains={
        banned
          ? `${owner.discord.username} sees the reason and the end.`
          : `It leaves the list at once and its announces are refused. ${owner.discord.username} sees the reason and the end; the other servers stay.`
      }
      reasons={REASONS}
      hint="Its owner reads it."
      confirm={banned ? 'Change ban' : 'Ban server'}
      current={banned ? { reason, until } : undefined}
      busy={ban.isPending}
      error={ban.error}
      onBan={async (typed) => {
        await ban.mutateAsync({ banned: true, ...typed })
        toastSuccess(banned ? 'Ban changed' : 'Server banned', name)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

export function LiftServerBanDialog({ server, onClose }: { server: AdminServer; onClose: () => void }) {
  const ban = useBanServer(server.public_id)
  return (
    <MutationDialog
      title={`Lift the ban of ${server.name}?`}
      confirm="Lift ban"
      mutation={ban}
      onConfirm={async () => {
        await ban.mutateAsync({ banned: false })
        toastSuccess('Ban lifted', server.name)
        onClose()
      }}
      onClose={onClose}
    >
      <p>Its announces are taken again, and with the next one it is back on the list.</p>
    </MutationDialog>
  )
}

export function BulkBanServers({ selection }: { selection: Selection<AdminServer> }) {
  // What was selected when it was asked for: the selection goes on under the dialog.
  const [asked, setAsked] = useState<{ act: 'ban' | 'lift'; rows: readonly AdminServer[] }>()
  const { rows } = selection
  const banned = rows.filter((row) => row.banned)
  return (
    <>
      <BulkBar count={rows.length} countText={m.count_servers} onClear={selection.clear}>
        <Button look="danger" onClick={() => setAsked({ act: 'ban', rows })}>
          Ban…
        </Button>
        <Button disabled={banned.length === 0} onClick={() => setAsked({ act: 'lift', rows: banned })}>
          Lift bans…
        </Button>
      </BulkBar>
      {asked && <BanManyDialog {...asked} onDone={selection.keep} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface BanManyDialogProps {
  act: 'ban' | 'lift'
  rows: readonly AdminServer[]
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

function BanManyDialog({ act, rows, onDone, onClose }: BanManyDialogProps) {
  const client = useQueryClient()
  const standing = rows.filter(({ banned }) => banned).length
  const these = rows.length === 1 ? 'this server' : `these ${rows.length} servers`
  const common = {
    rows,
    idOf: (server: AdminServer) => server.public_id,
    nameOf: (server: AdminServer) => server.name,
    onDone: (failed: ReadonlySet<string>) => {
      invalidateAllServers(client)
      onDone(failed)
    },
    onClose,
  }
  if (act === 'lift') {
    return (
      <BulkDialog
        {...common}
        resultText={m.servers_bulk_lifted}
        title={`Lift the ban of ${these}?`}
        confirm="Lift bans"
        act={(server) => banServer(server.public_id, { banned: false })}
      >
        <p>Their announces are taken again, and each is back on the list with its next one.</p>
      </BulkDialog>
    )
  }
  return (
    <BulkBanDialog
      {...common}
      resultText={m.servers_bulk_banned}
      title={`Ban ${these}?`}
      confirm={rows.length === 1 ? 'Ban server' : `Ban ${rows.length} servers`}
      reasons={REASONS}
      hint="Their owners read it."
      ban={(server, typed) => banServer(server.public_id, { banned: true, ...typed })}
    >
      <p>
        They leave the list at once and their announces are refused. Their owners see the reason and the end.
        {standing > 0 &&
          ` ${standing} of them ${standing === 1 ? 'is' : 'are'} banned already and will have this end, and this reason where you give one.`}
      </p>
    </BulkBanDialog>
  )
}
