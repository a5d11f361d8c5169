import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import { lastAnnounceAt, noAnnounceText } from '#web/features/servers/status.ts'
import { Flags, ServerIcon, StatusPill } from '#web/features/servers/server-marks.tsx'
import { Players } from '#web/features/servers/players.tsx'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { policyName } from '#web/lib/code-names.ts'
import { isStatus } from '#web/lib/http/call.ts'
import { exactTime, useTimeZone } from '#web/lib/time.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CopiedFact, Fact, Facts, PanelPending, PanelStale, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { BanServerDialog, LiftServerBanDialog } from './ban-servers.tsx'
import { PlayersMeter, OwnerLink } from './servers-columns.tsx'

interface ServerPanelProps {
  id: string
  /** Shown until the details have loaded. */
  row: AdminServer | undefined
  onClose: () => void
}

export function ServerPanel({ id, row, onClose }: ServerPanelProps) {
  const { data, error, refetch } = useQuery({ ...adminServerOptions(id), refetchOnMount: 'always', staleTime: 0, retryOnMount: true })
  // Never older than the list.
  const server = data && row && row.updated_at > data.updated_at ? row : (data ?? row)
  const isMissing = server === undefined && isStatus(error, 404)
  useMissingRow(isMissing, m.servers_admin_missing(), onClose)
  if (isMissing) return null
  return (
    <SidePanel
      id={id}
      onClose={onClose}
      title={
        <span className="flex items-center gap-3">
          {server && <ServerIcon server={server} />}
          {server?.name ?? m.servers_row_server()}
        </span>
      }
    >
      {server ? (
        <>
          <PanelStale error={error} onRetry={() => void refetch()} missingText={m.servers_admin_deleted()} />
          <Details key={id} server={server} />
        </>
      ) : (
        <PanelPending error={error} onRetry={() => void refetch()} />
      )}
    </SidePanel>
  )
}

function Details({ server }: { server: AdminServer }) {
  useTimeZone()
  const { listing, banned, banned_until: until } = server
  const [dialog, setDialog] = useState<'ban' | 'lift'>()
  const Dialog = dialog === 'ban' ? BanServerDialog : LiftServerBanDialog
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <StatusPill server={server} />
        <Flags server={server} />
      </div>
      {!listing.listed && (
        <ul aria-label={m.servers_why_title()} className="mt-3 space-y-1.5 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
          {listing.reasons.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
          {banned && <li>{until === null ? m.servers_admin_ban_forever() : m.servers_admin_ban_until({ time: exactTime(until) })}</li>}
        </ul>
      )}
      <ServerFacts server={server} />
      <div className="mt-6 flex flex-wrap gap-2">
        <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className={buttonClass('primary')}>
          {m.servers_row_open()}
        </Link>
        {/* One element for both actions, so it keeps the focus. */}
        <Button variant={banned ? 'secondary' : 'danger'} onClick={() => setDialog('ban')}>
          {banned ? m.common_ban_change_ask() : m.servers_admin_ban_ask()}
        </Button>
        {banned && <Button onClick={() => setDialog('lift')}>{m.common_ban_lift_ask()}</Button>}
      </div>
      {dialog && <Dialog server={server} onClose={() => setDialog(undefined)} />}
    </>
  )
}

function ServerFacts({ server }: { server: AdminServer }) {
  const lastAnnounce = lastAnnounceAt(server)
  const { live, tags } = server
  return (
    <Facts>
      <Fact label={m.servers_admin_owner()}>
        <OwnerLink owner={server.owner} />
      </Fact>
      <Fact label={m.servers_row_players()}>
        <Players live={live} graph={<PlayersMeter live={live} />} />
      </Fact>
      <Fact label={m.common_open_issues()}>
        {server.open_issues === 0 ? (
          m.common_none()
        ) : (
          <Link
            to="/admin/servers/$server_id"
            params={{ server_id: server.public_id }}
            search={{ tab: 'protection' }}
            className="inline-link font-medium text-warn"
          >
            {server.open_issues}
          </Link>
        )}
      </Fact>
      <CopiedFact label={m.servers_admin_public_id()} text={server.public_id} copyNoun={m.servers_admin_copy_public_id()} />
      {server.vanity_url !== null && (
        <CopiedFact label={m.servers_listing_vanity()} text={`@${server.vanity_url}`} copyNoun={m.servers_admin_copy_vanity_id()} />
      )}
      {live && <CopiedFact label={m.servers_overview_address()} text={live.address} copyNoun={m.servers_admin_copy_address()} />}
      {server.bound_addresses.length === 0 && <Fact label={m.servers_address_title()}>{m.common_none()}</Fact>}
      {server.bound_addresses.map(({ family, address }) => (
        <CopiedFact key={family} label={m.servers_address_title()} text={address} copyNoun={m.servers_admin_copy_bound_address()} />
      ))}
      <Fact label={serverField('address_policy').label()}>{policyName(server.address_policy)}</Fact>
      <Fact label={m.servers_overview_last_announce()}>
        {lastAnnounce === null ? noAnnounceText(server) : <TimeAgo at={lastAnnounce} />}
      </Fact>
      {server.group && <Fact label={m.servers_listing_group()}>{server.group.name}</Fact>}
      {server.game_mode !== '' && <Fact label={m.servers_listing_game_mode()}>{server.game_mode}</Fact>}
      {tags.length > 0 && <Fact label={m.servers_listing_tags()}>{tags.join(', ')}</Fact>}
      <Fact label={m.servers_admin_created()}>
        <TimeAgo at={server.created_at} />
      </Fact>
    </Facts>
  )
}
