import { ChevronRight, CircleCheck, CircleDashed, CircleX, Gamepad2, type LucideIcon, Users, Waypoints } from 'lucide-react'
import type { ServerEndpoint } from '#contract/servers/endpoint.ts'
import { m } from '#messages'
import { hostAndPort } from '#web/features/servers/connect/route.ts'
import { cx } from '#web/ui/class-names.ts'

type LinkState = 'ok' | 'broken' | 'unknown'

/** Failures between players and the host. The others are between the host and the server. */
const BEFORE_HOST: readonly string[] = ['UNRESOLVED', 'PRIVATE', 'UNREACHABLE']

/** From the server to its host, and from there to players. One link for a server that names no other host. */
function linksOf({ state, failure }: ServerEndpoint, host: string, isAnswering: boolean): LinkState[] {
  const isProven = state === 'proven'
  if (host === '') return [isProven || isAnswering ? 'ok' : failure === '' ? 'unknown' : 'broken']
  if (isProven) return ['ok', 'ok']
  if (failure === '') return ['unknown', 'unknown']
  return BEFORE_HOST.includes(failure) ? ['unknown', 'broken'] : ['broken', 'unknown']
}

interface EndpointPictureProps {
  endpoint: ServerEndpoint
  /** What the server names; empty for its own address. */
  host: string
  isPrivate: boolean
  /** In a test just now. */
  isAnswering: boolean
}

/** The way from the game server to its players. The sentence below it says the same. */
export function EndpointPicture({ endpoint, host, isPrivate, isAnswering }: EndpointPictureProps) {
  const [first = 'unknown', second] = isPrivate ? (['broken'] as const) : linksOf(endpoint, host, isAnswering)
  return (
    <div
      aria-hidden="true"
      data-links={second === undefined ? first : `${first} ${second}`}
      className="@container mb-3 flex items-start justify-center"
    >
      <Node icon={Gamepad2} label={m.servers_reach_node_server()} detail={endpoint.sources[0]} />
      <Link state={first} />
      {second !== undefined && (
        <>
          <Node icon={Waypoints} label={m.servers_reach_node_host()} detail={hostAndPort(host, endpoint.port)} />
          <Link state={second} />
        </>
      )}
      <Node icon={Users} label={m.servers_row_players()} />
    </div>
  )
}

function Node({ icon: Icon, label, detail }: { icon: LucideIcon; label: string; detail?: string | undefined }) {
  return (
    <div className="flex w-20 shrink-0 flex-col items-center text-center sm:w-36">
      <span className="flex size-11 items-center justify-center rounded-full border border-line bg-surface-2 text-ink-2">
        <Icon size={20} />
      </span>
      <span className="mt-1.5 text-12 leading-4 font-medium text-balance">{label}</span>
      {detail !== undefined && (
        <span className="mt-0.5 w-full truncate font-mono text-12 text-ink-3 max-sm:hidden @min-[35rem]:w-max @min-[35rem]:max-w-64">
          {detail}
        </span>
      )}
    </div>
  )
}

const LINKS = {
  ok: { Icon: CircleCheck, className: 'text-ok' },
  broken: { Icon: CircleX, className: 'text-danger' },
  unknown: { Icon: CircleDashed, className: 'text-ink-3' },
} as const

function Link({ state }: { state: LinkState }) {
  const { Icon, className } = LINKS[state]
  const line = cx('min-w-2 flex-1 border-t-2 border-current', state !== 'ok' && 'border-dashed')
  return (
    <div className={cx('-mx-3 flex h-11 min-w-8 flex-1 items-center gap-1 sm:-mx-9 sm:max-w-64', className)}>
      <span className={line} />
      <Icon size={18} className="shrink-0" />
      <span className={line} />
      <ChevronRight size={16} className="-ml-3 shrink-0" />
    </div>
  )
}
