import { Link } from '@tanstack/react-router'
import { ArrowRightLeft, ChevronLeft, ExternalLink, ListChecks, Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { useHasPublicSite } from '#web/features/about/use-has-downloads.ts'
import { useNow } from '#web/lib/time.ts'
import { useIsPhone } from '#web/lib/use-media.ts'
import { CopyButton } from '#web/ui/button.tsx'
import { BannerGradient } from '#web/ui/image-tile.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { ShownServer } from './access.ts'
import { Flags, ServerIcon, StatusPill } from './server-marks.tsx'
import { publicPath, whyNoPublicPage } from './share/public-page.ts'
import { ShareButton } from './share/share-button.tsx'
import { visibleAppearance } from '#web/features/servers/listing/visible-appearance.ts'
import { lastAnnounceAt, statusOf } from './status.ts'
import { useOutgoingTransfer } from './servers.api.ts'

export interface ServerHeaderProps {
  server: ShownServer
  back: '/servers' | '/admin/servers'
  crumbs: ReactNode
  /** Beside the name, or on a phone on the overview. */
  identity: ServerIdentityProps
}

/** On a phone, one bar of 52 px: the overview has the rest (`ServerIdentity`). */
export function ServerHeader({ server, back, crumbs, identity }: ServerHeaderProps) {
  const isPhone = useIsPhone()
  if (isPhone) {
    return (
      <header className="-mt-6 flex h-13 items-center gap-2.5">
        <Link
          to={back}
          activeOptions={{ exact: true }}
          aria-label={m.nav_servers()}
          className="-mr-2.5 -ml-3.5 flex size-11 shrink-0 items-center justify-center rounded-6 text-ink-2"
        >
          <ChevronLeft size={20} aria-hidden="true" />
        </Link>
        <ServerIcon server={server} className="size-9" />
        <ServerTitle server={server} />
      </header>
    )
  }
  return (
    <header className="mb-6">
      <div className="mb-2 text-13 text-ink-3 print:hidden">{crumbs}</div>
      <ServerIdentity {...identity} title={<ServerTitle server={server} />} />
    </header>
  )
}

export interface ServerIdentityProps {
  server: ShownServer
  actions: ReactNode
  ids: ReactNode
  /** Below all. */
  note?: ReactNode
  /** With it, the icon lies over the lower edge of the banner. */
  title?: ReactNode
}

/** The banner, or a gradient without one, and below it how players and others reach the server. Its height never depends on the image. */
export function ServerIdentity({ server, actions, ids, note, title }: ServerIdentityProps) {
  const { public_id, banner_url } = server
  return (
    <>
      <div data-banner className="h-20 overflow-hidden rounded-10 border border-line not-has-[img]:print:hidden sm:h-40">
        {banner_url === null ? (
          <BannerGradient id={public_id} className="size-full" />
        ) : (
          <img src={banner_url} alt="" className="size-full object-cover" />
        )}
      </div>
      <div className="grid gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-4 sm:gap-y-1 sm:px-5 lg:grid-cols-[auto_minmax(0,1fr)_auto]">
        {title !== undefined && (
          <>
            <ServerIcon
              server={server}
              className="relative row-span-3 -mt-8 size-16 rounded-10 ring-4 ring-surface-0 lg:row-span-2 print:mt-0!"
            />
            <div className="min-w-0 pt-3">{title}</div>
          </>
        )}
        <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:mt-3 sm:col-start-2 lg:col-start-3 lg:row-start-1 lg:justify-end lg:pt-3">
          {actions}
        </div>
        <div className="min-w-0 sm:col-start-2 lg:col-span-2">{ids}</div>
      </div>
      {note !== undefined && <div className="text-13 text-ink-2">{note}</div>}
    </>
  )
}

/** What owners and managers see. */
export function identityOf(server: ShownServer): ServerIdentityProps {
  return {
    server,
    actions: (
      <>
        <ConnectAddress server={server} />
        <ShareButton server={server} />
      </>
    ),
    ids: (
      <>
        <Ids server={server} />
        <PendingTransfer server={server} />
      </>
    ),
  }
}

/** The name with its marks, and the status. */
function ServerTitle({ server }: { server: ShownServer }) {
  return (
    <div className="flex min-w-0 gap-x-3 gap-y-1.5 max-sm:flex-col max-sm:gap-0.5 sm:flex-wrap sm:items-center">
      <span className="flex max-w-full min-w-0 items-center gap-2">
        <h1
          tabIndex={-1}
          className="min-w-0 font-semibold tracking-[-0.01em] outline-none max-sm:truncate max-sm:text-16 max-sm:leading-5 sm:text-20 sm:[overflow-wrap:anywhere]"
        >
          {server.name}
        </h1>
        <Flags server={server} size={18} />
      </span>
      <StatusPill server={server} className="max-sm:min-h-5 max-sm:self-start" />
    </div>
  )
}

function Ids({ server }: { server: ShownServer }) {
  const isPhone = useIsPhone()
  const { vanity } = visibleAppearance(server)
  return (
    <p className="flex max-w-full flex-wrap items-center gap-x-1 text-13 text-ink-2">
      <span className="font-mono">{server.public_id}</span>
      <CopyButton text={server.public_id} label={m.servers_header_copy_id()} />
      {vanity !== null && (
        <span className="inline-flex min-w-0 items-center gap-1">
          <span className="min-w-0 font-mono [overflow-wrap:anywhere]">@{vanity}</span>
          <CopyButton text={`@${vanity}`} label={m.servers_header_copy_vanity()} />
        </span>
      )}
      {!isPhone && (
        <>
          {statusOf(server).key === 'online' && <span className="text-ink-3">{m.servers_header_listed()}</span>}
          <PublicPageLink server={server} />
        </>
      )}
    </p>
  )
}

/** On a phone's overview, where `WhyNotListed` is for other servers. */
export function ListedLine({ server }: { server: ShownServer }) {
  if (!server.listing.listed) return null
  return (
    <p className="flex min-h-11 items-center gap-2.5 px-4 text-13">
      <ListChecks size={16} className="text-ok" aria-hidden="true" />
      <span className="flex-1 font-medium">{m.servers_header_listed()}</span>
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
      className="flex min-h-9 w-fit max-w-full shrink-0 items-center gap-2 rounded-6 border border-line bg-surface-1 pl-3 lg:max-w-96 pointer-coarse:min-h-11 print:pr-3"
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
