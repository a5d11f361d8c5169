import { Link } from '@tanstack/react-router'
import { ArrowRightLeft, ExternalLink, Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { useNow } from '#web/lib/time.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { ShownServer } from './access.ts'
import { Flags } from './flags.tsx'
import { publicPath, whyNoPublicPage } from './share/public-page.ts'
import { ShareButton, useHasPublicSite } from './share/share-button.tsx'
import { visibleAppearance } from '#web/features/servers/listing/visible-appearance.ts'
import { ServerBanner } from './server-banner.tsx'
import { lastAnnounceAt, statusOf } from './status.ts'
import { StatusPill } from './status-pill.tsx'
import { useOutgoingTransfer } from './servers.api.ts'

export function ServerHeader({ server, note }: { server: ShownServer; note?: ReactNode }) {
  return (
    <header className="mb-6">
      <div className="mb-2 text-13 text-ink-3">
        <BackLink to="/servers">{m.nav_servers()}</BackLink>
      </div>
      <ServerBanner server={server}>
        <div className="flex flex-col gap-x-4 gap-y-3 lg:flex-row lg:items-start lg:justify-between">
          <div className="min-w-0">
            <ServerTitle server={server} />
            <Ids server={server} />
          </div>
          <div className="flex min-w-0 flex-wrap items-center gap-2 lg:justify-end">
            <ConnectAddress server={server} />
            <ShareButton server={server} />
          </div>
        </div>
        <PendingTransfer server={server} />
      </ServerBanner>
      {note !== undefined && <div className="text-13 text-ink-2">{note}</div>}
    </header>
  )
}

/** The name with its marks, and the status. */
export function ServerTitle({ server }: { server: ShownServer }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="flex min-w-0 items-center gap-2">
        <h1 tabIndex={-1} className="min-w-0 text-20 font-semibold tracking-[-0.01em] [overflow-wrap:anywhere] outline-none">
          {server.name}
        </h1>
        <Flags server={server} size={18} />
      </span>
      <StatusPill server={server} />
    </div>
  )
}

function Ids({ server }: { server: ShownServer }) {
  const { vanity } = visibleAppearance(server)
  return (
    <p className="mt-0.5 flex max-w-full flex-wrap items-center gap-x-1 text-13 text-ink-2">
      <span className="font-mono">{server.public_id}</span>
      <CopyButton text={server.public_id} label={m.servers_header_copy_id()} />
      {vanity !== null && (
        <span className="inline-flex min-w-0 items-center gap-1">
          <span className="min-w-0 font-mono [overflow-wrap:anywhere]">@{vanity}</span>
          <CopyButton text={`@${vanity}`} label={m.servers_header_copy_vanity()} />
        </span>
      )}
      {statusOf(server).key === 'online' && <span className="text-ink-3">{m.servers_header_listed()}</span>}
      <PublicPageLink server={server} />
    </p>
  )
}

function PublicPageLink({ server }: { server: ShownServer }) {
  const hasPublicSite = useHasPublicSite()
  const now = useNow()
  if (!hasPublicSite || whyNoPublicPage(server, now) !== undefined) return null
  return (
    <a
      href={publicPath(server)}
      target="_blank"
      rel="noreferrer"
      className="ml-1 inline-flex min-h-6 items-center gap-1 rounded-6 text-accent underline underline-offset-2 pointer-coarse:min-h-11"
    >
      {m.servers_share_view()}
      <ExternalLink size={13} aria-hidden="true" />
    </a>
  )
}

/** As high without an address as with one. */
export function ConnectAddress({ server }: { server: ShownServer }) {
  const { live } = server
  if (!live) {
    return (
      <p className="flex min-h-9 max-w-full items-center text-13 text-ink-3 lg:max-w-96 lg:text-right pointer-coarse:min-h-11">
        <span>
          <OfflineText server={server} />
        </span>
      </p>
    )
  }
  return (
    <div
      role="group"
      aria-label={m.servers_overview_address()}
      className="flex min-h-9 w-fit max-w-full shrink-0 items-center gap-2 rounded-6 border border-line bg-surface-1 pl-3 lg:max-w-96 pointer-coarse:min-h-11"
    >
      <Plug size={14} className="shrink-0 text-ink-3" aria-hidden="true" />
      <span className="min-w-0 truncate font-mono text-13" title={live.address}>
        {live.address}
      </span>
      <CopyButton text={live.address} label={m.servers_overview_address_copy()} className="mr-1 pointer-coarse:mr-0" />
    </div>
  )
}

function OfflineText({ server }: { server: ShownServer }) {
  const last = lastAnnounceAt(server)
  if (server.credential_hint === '') return m.servers_overview_no_credential()
  if (server.status === 'never_seen') return m.servers_header_no_address()
  if (last === null) return m.servers_overview_offline_reissued()
  return <RichText message={m.servers_overview_offline} tags={{ time: () => <TimeAgo at={last} /> }} />
}

/** Names the recipient of a pending transfer, and links to where the owner can cancel it. */
function PendingTransfer({ server: { public_id } }: { server: ShownServer }) {
  const transfer = useOutgoingTransfer(public_id)
  if (!transfer) return null
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-13 text-ink-2">
      <span className="inline-flex min-w-0 items-center gap-1.5">
        <ArrowRightLeft size={14} className="shrink-0 text-info" aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <RichText
            message={m.servers_header_transfer}
            tags={{ user: () => <strong className="font-semibold text-ink-1">{transfer.to_user.discord.username}</strong> }}
          />
        </span>
      </span>
      <Link
        to="/servers/$server_id"
        params={{ server_id: public_id }}
        search={{ tab: 'danger' }}
        resetScroll={false}
        className="inline-flex min-h-6 items-center rounded-6 text-accent underline underline-offset-2"
      >
        {m.servers_header_transfer_view()}
      </Link>
    </p>
  )
}
