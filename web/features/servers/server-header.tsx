import { Link } from '@tanstack/react-router'
import { ArrowRightLeft, ChevronLeft, ExternalLink, Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { useNow } from '#web/lib/time.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { cx } from '#web/ui/class-names.ts'
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

interface ServerHeaderProps {
  server: ShownServer
  isBar: boolean
  note?: ReactNode
}

export function ServerHeader({ server, isBar, note }: ServerHeaderProps) {
  return (
    <HeaderFrame
      server={server}
      isBar={isBar}
      back="/servers"
      crumbs={<BackLink to="/servers">{m.nav_servers()}</BackLink>}
      actions={
        <>
          <ConnectAddress server={server} />
          <ShareButton server={server} />
        </>
      }
      note={note}
    >
      <Ids server={server} />
      <PendingTransfer server={server} />
    </HeaderFrame>
  )
}

interface HeaderFrameProps extends ServerHeaderProps {
  back: '/servers' | '/admin/servers'
  crumbs: ReactNode
  actions: ReactNode
  children: ReactNode
}

/** @param isBar on a phone, one bar of 56 px with icon, name and status. */
export function HeaderFrame({ server, isBar, back, crumbs, actions, note, children }: HeaderFrameProps) {
  return (
    <header className={cx('mb-6', isBar ? 'max-sm:-mt-5 max-sm:mb-1' : 'max-sm:-mt-3 max-sm:mb-3')}>
      <div className={cx('mb-2 text-13 text-ink-3 print:hidden', isBar && 'max-sm:hidden')}>{crumbs}</div>
      <div className={cx(isBar && 'max-sm:flex max-sm:h-14 max-sm:items-center')}>
        {isBar && (
          <Link
            to={back}
            activeOptions={{ exact: true }}
            aria-label={m.nav_servers()}
            className="-ml-3.5 flex size-11 shrink-0 items-center justify-center rounded-6 text-ink-2 sm:hidden"
          >
            <ChevronLeft size={20} aria-hidden="true" />
          </Link>
        )}
        <ServerBanner server={server} isBar={isBar} title={<ServerTitle server={server} isBar={isBar} />} actions={actions}>
          {children}
        </ServerBanner>
      </div>
      {note !== undefined && <div className={cx('text-13 text-ink-2', isBar && 'max-sm:hidden')}>{note}</div>}
    </header>
  )
}

/** The name with its marks, and the status. */
function ServerTitle({ server, isBar }: { server: ShownServer; isBar: boolean }) {
  return (
    <div
      className={cx(
        'flex min-w-0 items-center gap-x-3 gap-y-1.5',
        isBar ? 'max-sm:flex-col max-sm:items-start max-sm:gap-0.5 sm:flex-wrap' : 'flex-wrap',
      )}
    >
      <span className="flex max-w-full min-w-0 items-center gap-2">
        <h1
          tabIndex={-1}
          className={cx(
            'min-w-0 font-semibold tracking-[-0.01em] outline-none sm:text-20',
            isBar ? 'max-sm:truncate max-sm:text-16 max-sm:leading-5' : 'text-20',
            '[overflow-wrap:anywhere]',
          )}
        >
          {server.name}
        </h1>
        <Flags server={server} size={18} />
      </span>
      <StatusPill server={server} className={isBar ? 'max-sm:h-5' : undefined} />
    </div>
  )
}

function Ids({ server }: { server: ShownServer }) {
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
