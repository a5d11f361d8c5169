import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { ServerHistoryCard } from '#web/features/history/server-history.tsx'
import { timeLeft, useNow } from '#web/lib/time.ts'
import { useIsPhone } from '#web/lib/use-media.ts'
import { Button } from '#web/ui/button.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { hasPermission, isAdminServer, type ShownServer } from './access.ts'
import { EndpointCard } from './endpoint/endpoint-card.tsx'
import { Fact, InfoCard, OwnerOnlyNote } from './info-card.tsx'
import { LivePlayers } from './players.tsx'
import { ServerIdentity, type ServerIdentityProps } from './server-header.tsx'

interface OverviewProps {
  server: ShownServer
  /** On a phone, where the header has no room for it. */
  identity: ServerIdentityProps
  /** Above the cards at the side. */
  aside?: ReactNode
  onOpenDialog: (dialog: 'reissue' | 'reset') => void
}

export function Overview({ server, identity, aside, onOpenDialog }: OverviewProps) {
  const isPhone = useIsPhone()
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_380px]">
      <div className="space-y-5">
        <ServerHistoryCard
          key={server.public_id}
          id={server.public_id}
          live={<LivePlayers live={server.live} />}
          isNew={server.status === 'never_seen'}
          asAdmin={isAdminServer(server)}
        />
        {isPhone && (
          <div className="card p-4">
            <ServerIdentity {...identity} />
          </div>
        )}
        <EndpointCard server={server} onReset={() => onOpenDialog('reset')} />
        <TechnicalDetails server={server} />
      </div>
      <div className="space-y-5">
        {aside}
        <CredentialCard server={server} onReissue={() => onOpenDialog('reissue')} />
      </div>
    </div>
  )
}

/** What only an engineer wants to know. */
function TechnicalDetails({ server: { live } }: { server: ShownServer }) {
  if (!live) return null
  return (
    <details className="card px-5 py-3">
      <summary className="flex min-h-6 items-center rounded-6 font-medium pointer-coarse:min-h-11">{m.servers_overview_details()}</summary>
      <dl className="mt-2">
        <Fact label={m.servers_overview_version()}>
          <span className="[overflow-wrap:anywhere]">{live.version}</span>
        </Fact>
        <Fact label={m.servers_overview_branch()}>
          <span className="[overflow-wrap:anywhere]">{live.branch}</span>
        </Fact>
        <Fact label={m.servers_overview_password()}>
          {live.passworded ? m.servers_overview_password_required() : m.servers_overview_password_none()}
        </Fact>
        <TimeFact label={m.servers_overview_last_announce()} at={live.last_announce_at} />
      </dl>
    </details>
  )
}

function TimeFact({ label, at, never }: { label: string; at: string | null; never?: string }) {
  return <Fact label={label}>{at === null ? <span className="text-ink-3">{never}</span> : <TimeAgo at={at} />}</Fact>
}

function CredentialCard({ server, onReissue }: { server: ShownServer; onReissue: () => void }) {
  const isMissing = server.credential_hint === ''
  const maskedCredential = `mst_${server.public_id}_…${server.credential_hint}`
  const button = hasPermission(server, 'REISSUE_CREDENTIAL') && (
    <Button className={isMissing ? 'mt-4' : undefined} onClick={onReissue}>
      {isMissing ? m.servers_credential_create() : m.servers_credential_reissue()}
    </Button>
  )
  return (
    <InfoCard
      id="credential"
      icon={KeyRound}
      title={isMissing ? m.servers_credential_missing() : m.servers_credential_title()}
      action={!isMissing && button}
    >
      {isMissing ? (
        <>
          <p className="mt-2 text-13 text-pretty text-ink-2">
            {server.owner ? m.servers_credential_missing_managed() : m.servers_credential_missing_own()}
          </p>
          {button}
        </>
      ) : (
        <dl className="mt-3">
          <Fact label={m.servers_credential_title()}>
            <span className="font-mono">{maskedCredential}</span>
          </Fact>
          <TimeFact label={m.servers_credential_created_at()} at={server.credential_issued_at} />
          <TimeFact label={m.servers_credential_used()} at={server.credential_last_used_at} never={m.servers_credential_never()} />
          {server.credential_grace_until !== null && (
            <Grace until={server.credential_grace_until} lastUsed={server.previous_credential_last_used_at} />
          )}
        </dl>
      )}
      <OwnerOnlyNote server={server} permission="REISSUE_CREDENTIAL" message={isMissing ? m.servers_only_create : m.servers_only_reissue} />
    </InfoCard>
  )
}

function Grace({ until, lastUsed }: { until: string; lastUsed: string | null }) {
  const left = timeLeft(until, useNow())
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  if (left.hours + left.minutes + left.seconds === 0) return null
  return (
    <>
      <Fact label={m.servers_credential_grace()}>
        <span className="tabular-nums">{`${left.hours}:${twoDigits(left.minutes)}:${twoDigits(left.seconds)}`}</span>
      </Fact>
      <TimeFact label={m.servers_credential_grace_used()} at={lastUsed} never={m.servers_credential_grace_unused()} />
    </>
  )
}
