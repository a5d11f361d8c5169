import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { m } from '#messages'
import { SERVER_BAN_REASONS } from '#web/features/protection/server-ban-reasons.ts'
import { BanDialog } from '#web/ui/dialog/ban-form.tsx'
import { counted } from '#web/ui/count-text.ts'
import { MutationDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { BulkBar, type BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import { BulkBanDialog, BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/list-table.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { banServer, invalidateAllServers, useBanServer } from '#web/features/servers/server-mutations.ts'

export function BanServerDialog({ server, onClose }: { server: AdminServer; onClose: () => void }) {
  // A snapshot, because the response changes the server before the dialog closes.
  const [{ banned, ban_reason: reason, banned_until: until, name, owner }] = useState(server)
  const ban = useBanServer(server.public_id)
  return (
    <BanDialog
      title={banned ? m.common_ban_change_title({ name }) : m.common_ban_title({ name })}
      explanation={
        banned
          ? m.common_ban_change_explained({ user: owner.discord.username })
          : m.servers_admin_ban_explained({ owner: owner.discord.username })
      }
      reasons={SERVER_BAN_REASONS}
      hint={m.servers_admin_ban_reason_hint()}
      confirm={banned ? m.common_ban_change() : m.servers_admin_ban_confirm()}
      current={banned ? { reason, until } : undefined}
      onBan={async (input) => {
        await ban.mutateAsync({ banned: true, ...input })
        toastSuccess(banned ? m.common_ban_changed() : m.servers_admin_ban_done(), name)
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
      title={m.common_ban_lift_title({ name: server.name })}
      confirm={m.common_ban_lift()}
      mutation={ban}
      onConfirm={async () => {
        await ban.mutateAsync({ banned: false })
        toastSuccess(m.common_ban_lifted(), server.name)
        onClose()
      }}
      onClose={onClose}
    >
      <p>{m.servers_admin_ban_lift_explained()}</p>
    </MutationDialog>
  )
}

export function BulkBanServers({ selection }: { selection: Selection<AdminServer> }) {
  const client = useQueryClient()
  return (
    <BulkBar
      selection={selection}
      countText={m.count_servers}
      actions={[
        { label: m.servers_admin_ban_many_ask(), isDanger: true, dialog: (target) => <BanMany {...target} /> },
        {
          label: m.common_ban_lift_many_ask(),
          rows: selection.rows.filter(({ banned }) => banned),
          dialog: (target) => <LiftMany {...target} />,
        },
      ]}
      onDone={() => invalidateAllServers(client)}
    />
  )
}

function BanMany(target: BulkTarget<AdminServer>) {
  const { rows } = target
  const banned = rows.filter((row) => row.banned).length
  const items = m.count_servers(counted(rows.length))
  return (
    <BulkBanDialog
      {...target}
      resultText={m.servers_bulk_banned}
      title={m.common_ban_title({ name: items })}
      confirm={m.common_ban_many({ items })}
      reasons={SERVER_BAN_REASONS}
      hint={m.servers_admin_bulk_ban_reason_hint()}
      ban={(server, input) => banServer(server.public_id, { banned: true, ...input })}
    >
      <p>
        {m.servers_admin_bulk_ban_explained()}
        {banned > 0 && ` ${m.common_ban_many_existing(counted(banned))}`}
      </p>
    </BulkBanDialog>
  )
}

function LiftMany(target: BulkTarget<AdminServer>) {
  return (
    <BulkDialog
      {...target}
      resultText={m.servers_bulk_lifted}
      title={m.common_ban_lift_many_title({ items: m.count_servers(counted(target.rows.length)) })}
      confirm={m.common_ban_lift_many()}
      action={(server) => banServer(server.public_id, { banned: false })}
    >
      <p>{m.servers_admin_bulk_lift_explained()}</p>
    </BulkDialog>
  )
}
