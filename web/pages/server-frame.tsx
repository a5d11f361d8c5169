import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { AnnouncesTab } from '#web/features/servers/announces-tab.tsx'
import { Overview } from '#web/features/servers/overview.tsx'
import { ListedLine, ServerHeader, type ServerHeaderProps, type ServerIdentityProps } from '#web/features/servers/server-header.tsx'
import type { ServerTab } from '#web/features/servers/server-tabs.ts'
import { statusSymbol } from '#web/features/servers/status.ts'
import { WhyNotListed } from '#web/features/servers/why-not-listed.tsx'
import { useIsPhone } from '#web/lib/use-media.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Skeleton } from '#web/ui/states.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

const LABELS: Readonly<Record<ServerTab, string>> = {
  overview: m.servers_tab_overview(),
  listing: m.servers_tab_listing(),
  announces: m.servers_tab_announces(),
  connect: m.servers_tab_connect(),
  activity: m.nav_activity(),
  protection: m.nav_protection(),
  danger: m.servers_tab_danger(),
}

interface ServerFrameProps {
  server: ShownServer
  back: ServerHeaderProps['back']
  crumbs: ReactNode
  identity: ServerIdentityProps
  /** Below the reasons why the server is not listed. In the tab's panel, so that the tabs never move. */
  notes?: ReactNode
  /** Lines about what needs an answer, below the notes. */
  answers?: ReactNode
  /** At the side of the overview. */
  aside?: ReactNode
  tabs: readonly ServerTab[]
  tab: ServerTab
  /** Beside the label of a tab. */
  badges?: Partial<Record<ServerTab, ReactNode>>
  asAdmin?: boolean
  onOpenDialog: (dialog: 'reissue' | 'reset') => void
  children: ReactNode
}

/** The parts of a server's page that owners, managers and administrators share. */
export function ServerFrame(props: ServerFrameProps) {
  const { server, tab, badges = {}, asAdmin = false, onOpenDialog } = props
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const { public_id: id } = server
  useTitle(`${statusSymbol(server)} ${server.name}`)
  const select = (key: ServerTab) =>
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, tab: key === 'overview' ? undefined : key, with: undefined }),
      // A phone has its tabs at the lower edge, so the user may have scrolled far.
      resetScroll: isPhone,
    })
  return (
    <>
      <ServerHeader server={server} back={props.back} crumbs={props.crumbs} identity={props.identity} />
      <Tabs
        isAtBottom
        label={m.server_page_tabs()}
        tabs={props.tabs.map((key) => ({ key, label: LABELS[key], badge: badges[key] }))}
        current={tab}
        onSelect={select}
      >
        {!(asAdmin && server.banned) && (
          <WhyNotListed server={server} isCompact={tab !== 'overview'} onSelect={select} onOpenDialog={onOpenDialog} />
        )}
        {props.notes}
        <div className="card mb-4 divide-y divide-line overflow-hidden empty:hidden">
          {isPhone && tab === 'overview' && <ListedLine server={server} />}
          {props.answers}
        </div>
        {tab === 'overview' && <Overview server={server} identity={props.identity} aside={props.aside} onOpenDialog={onOpenDialog} />}
        {tab === 'announces' && <AnnouncesTab id={id} asAdmin={asAdmin} />}
        <Suspense key={tab} fallback={<Skeleton className="h-96" />}>
          {props.children}
        </Suspense>
      </Tabs>
    </>
  )
}
