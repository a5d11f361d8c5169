import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { Flags } from '#web/features/servers/flags.tsx'
import { visibleAppearance } from '#web/features/servers/listing/visible-appearance.ts'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { lastAnnounceAt } from '#web/features/servers/status.ts'
import { Players } from '#web/features/servers/players.tsx'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { StatusPill } from '#web/features/servers/status-pill.tsx'
import { isStatus } from '#web/lib/http-error.ts'
import { exactTime } from '#web/lib/time.ts'
import { useFocusAfterUnban } from '#web/lib/use-focus-after-unban.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CopiedFact, Fact, Facts, PanelPending, PanelStale, panelTitle, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { BanServerDialog, LiftServerBanDialog } from './ban-servers.tsx'
import { PlayersMeter } from './players-meter.tsx'
import { OwnerLink } from './servers-table.tsx'

interface ServerPanelProps {
  id: string
  /** What the list knows of it: shown until the rest is there. */
  row: AdminServer | undefined
  onClose: () => void
}

export function ServerPanel({ id, row, onClose }: ServerPanelProps) {
  const { data, error, refetch } = useQuery({ ...adminServerOptions(id), refetchOnMount: 'always', staleTime: 0, retryOnMount: true })
  // Nothing older than what the list shows.
  const server = data && row && row.updated_at > data.updated_at ? row : (data ?? row)
  const gone = server === undefined && isStatus(error, 404)
  useMissingRow(gone, 'There is no such server any more', onClose)
  if (gone) return null
  return (
    <SidePanel
      id={id}
      onClose={onClose}
      title={
        <span className="flex items-center gap-3">
          {server && <ServerTile name={server.name} iconUrl={visibleAppearance(server).iconUrl} />}
          {server?.name ?? 'Server'}
        </span>
      }
    >
      {server ? (
        <>
          <PanelStale error={error} onRetry={() => void refetch()} gone="This server has been deleted meanwhile." />
          <Details key={id} server={server} />
        </>
      ) : (
        <PanelPending error={error} onRetry={() => void refetch()} />
      )}
    </SidePanel>
  )
}

function Details({ server }: { server: AdminServer }) {
  const { listing, banned, banned_until: until } = server
  const [asked, setAsked] = useState<'ban' | 'lift'>()
  useFocusAfterUnban(banned, panelTitle)
  const Asked = asked === 'ban' ? BanServerDialog : LiftServerBanDialog
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <StatusPill server={server} />
        <Flags server={server} />
      </div>
      {!listing.listed && (
        <ul aria-label="Why it is not on the list" className="mt-3 space-y-1.5 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
          {listing.reasons.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
          {banned && <li>{until === null ? 'The ban stands until somebody lifts it.' : `The ban ends on ${exactTime(until)}.`}</li>}
        </ul>
      )}
      <ServerFacts server={server} />
      <div className="mt-6 flex flex-wrap gap-2">
        <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className={buttonClass('primary')}>
          Open the page
        </Link>
        {/* The first button stays through both acts, and the focus with it. */}
        <Button look={banned ? 'secondary' : 'danger'} onClick={() => setAsked('ban')}>
          {banned ? 'Change ban…' : 'Ban…'}
        </Button>
        {banned && <Button onClick={() => setAsked('lift')}>Lift ban…</Button>}
      </div>
      {asked && <Asked server={server} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function ServerFacts({ server }: { server: AdminServer }) {
  const last = lastAnnounceAt(server)
  const { live, tags } = server
  return (
    <Facts>
      <Fact label="Owner">
        <OwnerLink owner={server.owner} />
      </Fact>
      <Fact label="Players">
        <Players live={live} graph={<PlayersMeter live={live} />} />
      </Fact>
      <Fact label="Open issues">
        {server.open_issues === 0 ? (
          'none'
        ) : (
          <Link
            to="/admin/servers/$server_id"
            params={{ server_id: server.public_id }}
            search={{ tab: 'protection' }}
            className="font-medium text-warn underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >
            {server.open_issues}
          </Link>
        )}
      </Fact>
      <CopiedFact label="Public id" text={server.public_id} copies="public id" />
      {server.vanity_url !== null && <CopiedFact label="Vanity id" text={`@${server.vanity_url}`} copies="vanity id" />}
      {live && <CopiedFact label="Address" text={live.address} copies="address" />}
      {server.bound_address === null ? (
        <Fact label="Bound to">no address</Fact>
      ) : (
        <CopiedFact label="Bound to" text={server.bound_address} copies="bound address" />
      )}
      <Fact label="Last announce">{last === null ? 'none' : <TimeAgo at={last} />}</Fact>
      {server.group && <Fact label="Group">{server.group.name}</Fact>}
      {server.game_mode !== '' && <Fact label="Game mode">{server.game_mode}</Fact>}
      {tags.length > 0 && <Fact label="Tags">{tags.join(', ')}</Fact>}
      <Fact label="Created">
        <TimeAgo at={server.created_at} />
      </Fact>
    </Facts>
  )
}
