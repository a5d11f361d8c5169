import { KeyRound, type LucideIcon, MapPin } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { timeLeft, useNow } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { hasPermission, type ShownServer } from './access.ts'
import { Unconfirmed } from './players.tsx'
import { lastAnnounceAt } from './status.ts'

type Ask = (dialog: 'reissue' | 'reset') => void

export function Overview({ server, history, onOpenDialog }: { server: ShownServer; history: ReactNode; onOpenDialog: Ask }) {
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_380px]">
      <div className="space-y-5">
        <LiveCard server={server} />
        {history}
      </div>
      <div className="space-y-5">
        <CredentialCard server={server} onReissue={() => onOpenDialog('reissue')} />
        <AddressCard server={server} onReset={() => onOpenDialog('reset')} />
      </div>
    </div>
  )
}

function LiveCard({ server }: { server: ShownServer }) {
  const { live } = server
  return (
    <section aria-labelledby="live" className="card p-5">
      <h2 id="live" className="font-medium">
        Right now
      </h2>
      {live ? (
        <>
          <p className="mt-3 flex items-baseline gap-2">
            <span className="text-28 font-semibold tracking-[-0.02em] tabular-nums">{live.players.toLocaleString('en')}</span>
            <span className="text-ink-2 tabular-nums">of {live.max_players.toLocaleString('en')} players</span>
            <Unconfirmed live={live} />
          </p>
          <meter
            value={live.players}
            max={live.max_players}
            aria-label="How full the server is"
            className="players-meter mt-2 w-full! max-w-full"
          />
          <dl className="mt-5">
            <Fact label="Connect address">
              <span className="font-mono text-13 break-all">{live.address}</span>
              <CopyButton text={live.address} label="Copy the connect address" />
            </Fact>
            <Fact label="Version">{live.version}</Fact>
            <Fact label="Branch">{live.branch}</Fact>
            <Fact label="Password">{live.passworded ? 'Asked for' : 'None'}</Fact>
            <TimeFact label="Last announce" at={live.last_announce_at} />
          </dl>
        </>
      ) : (
        <p className="mt-2 text-ink-2">
          <Silence server={server} />
        </p>
      )}
    </section>
  )
}

function Silence({ server }: { server: ShownServer }) {
  const last = lastAnnounceAt(server)
  if (server.credential_hint === '') return 'The server is silent. It can announce itself once it has a credential.'
  if (server.status === 'never_seen') {
    return 'The server has not announced itself yet. Start it with its credential and it appears here by itself.'
  }
  if (last === null) return 'The server is silent. It has not announced itself since its credential was reissued.'
  return (
    <>
      The server is silent. Its last announce was <TimeAgo at={last} />.
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t border-line py-1.5 first:border-t-0">
      <dt className="shrink-0 text-13 text-ink-3">{label}</dt>
      <dd className="flex min-w-0 items-center gap-1 text-right text-13">{children}</dd>
    </div>
  )
}

function TimeFact({ label, at, never }: { label: string; at: string | null; never?: string }) {
  return <Fact label={label}>{at === null ? <span className="text-ink-3">{never}</span> : <TimeAgo at={at} />}</Fact>
}

interface PartProps {
  id: string
  icon: LucideIcon
  title: string
  action?: ReactNode
  children: ReactNode
}

function Part({ id, icon: Icon, title, action, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="card p-5">
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} tabIndex={-1} className="flex items-center gap-2 font-medium outline-none">
          <Icon size={16} className="text-ink-3" aria-hidden="true" />
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

function CredentialCard({ server, onReissue }: { server: ShownServer; onReissue: () => void }) {
  const mayReissue = hasPermission(server, 'REISSUE_CREDENTIAL')
  if (server.credential_hint === '') {
    return (
      <Part id="credential" icon={KeyRound} title="No credential yet">
        <p className="mt-2 text-13 text-pretty text-ink-2">
          {server.owner
            ? 'The server has a new owner, and its old credential ended. It can announce once it has a new one.'
            : 'This server is yours now, and the credential of its former owner has ended. Make a new one so that it can announce.'}
        </p>
        {mayReissue && (
          <Button className="mt-4" onClick={onReissue}>
            Make a credential…
          </Button>
        )}
        <OnlyLooking server={server} permission="REISSUE_CREDENTIAL" act="make one" />
      </Part>
    )
  }
  return (
    <Part id="credential" icon={KeyRound} title="Credential" action={mayReissue && <Button onClick={onReissue}>Reissue…</Button>}>
      <dl className="mt-3">
        <Fact label="Ends in">
          <span className="font-mono">
            mst_{server.public_id}_…{server.credential_hint}
          </span>
        </Fact>
        <TimeFact label="Issued" at={server.credential_issued_at} />
        <TimeFact label="Last used" at={server.credential_last_used_at} never="never" />
        {server.credential_grace_until !== null && (
          <Grace until={server.credential_grace_until} used={server.previous_credential_last_used_at} />
        )}
      </dl>
      <OnlyLooking server={server} permission="REISSUE_CREDENTIAL" act="reissue it" />
    </Part>
  )
}

function Grace({ until, used }: { until: string; used: string | null }) {
  const left = timeLeft(until, useNow())
  const two = (value: number) => String(value).padStart(2, '0')
  if (left.hours + left.minutes + left.seconds === 0) return null
  return (
    <>
      <Fact label="Old one works for">
        <span className="tabular-nums">{`${left.hours}:${two(left.minutes)}:${two(left.seconds)}`}</span>
      </Fact>
      <TimeFact label="Old one last used" at={used} never="not since the reissue" />
    </>
  )
}

function AddressCard({ server, onReset }: { server: ShownServer; onReset: () => void }) {
  const { bound_address, bound_at } = server
  const canReset = bound_address !== null && hasPermission(server, 'RESET_ADDRESS')
  return (
    <Part id="address" icon={MapPin} title="Bound address" action={canReset && <Button onClick={onReset}>Reset…</Button>}>
      {bound_address === null ? (
        <p className="mt-2 text-13 text-ink-2">Not bound. The next announce binds the server to the address it comes from.</p>
      ) : (
        <dl className="mt-3">
          <Fact label="Address">
            <span className="font-mono break-all">{bound_address}</span>
            <CopyButton text={bound_address} label="Copy the bound address" />
          </Fact>
          {bound_at !== null && <TimeFact label="Since" at={bound_at} />}
        </dl>
      )}
      <OnlyLooking server={server} permission="RESET_ADDRESS" act="reset it" />
    </Part>
  )
}

function OnlyLooking({ server, permission, act }: { server: ShownServer; permission: Permission; act: string }) {
  if (!server.owner || hasPermission(server, permission)) return null
  return (
    <p className="mt-2 text-12 text-ink-3">
      Only {server.owner.discord.username} can {act}.
    </p>
  )
}
