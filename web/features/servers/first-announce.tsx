import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import type { ServerEndpoint } from '#contract/servers/endpoint.ts'
import type { AnnounceAttempt, Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { ErrorNote, Skeleton } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { remedyOf } from './announces-tab.tsx'
import { type Check, CheckList } from './connect/check-list.tsx'
import { ConnectGuide, useConnection, AnnounceCommand } from './connect/connect-guide.tsx'
import type { Connection } from './connect/connections.ts'
import { PLACEHOLDER } from './connect/snippets.ts'
import { namedHostOf } from './connect/route.ts'
import { announcesOptions, endpointOptions, serverOptions } from './servers.api.ts'
import { unprovenReason } from './status.ts'

/** Listed, and at its public host if it announces one. */
const isReachable = (server: Server) => server.listing.listed && unprovenReason(server) === undefined

function checksOf(server: Server, attempts: readonly AnnounceAttempt[], endpoint: ServerEndpoint | null | undefined): Check[] {
  const wasUsed = server.credential_last_used_at !== null
  const [newest] = attempts
  // Attempts are of credentials with this server's ID. Only a `CREDENTIAL_…` code means that the credential is invalid.
  const isValid = wasUsed || (newest !== undefined && !newest.code.startsWith('CREDENTIAL_'))
  const address = server.bound_address
  const unproven = unprovenReason(server)
  const proof = { done: isReachable(server), text: m.servers_first_proven(), note: unproven?.message }
  const steps: { done: boolean; text: string; note?: string | undefined }[] = [
    { done: true, text: m.servers_first_created({ server: server.name }) },
    { done: wasUsed || attempts.length > 0, text: m.servers_first_received() },
    { done: isValid, text: m.servers_first_checked() },
    { done: address !== null, text: address === null ? m.servers_first_bind() : m.servers_first_bound({ address }) },
    { done: server.listing.listed, text: server.listing.listed ? m.servers_first_visible() : m.servers_first_list() },
    ...(unproven || (endpoint && namedHostOf(endpoint) !== '') ? [proof] : []),
  ]
  const current = steps.findIndex(({ done }) => !done)
  return steps.map(({ done, ...step }, index) => ({ state: done ? 'done' : index === current ? 'current' : 'pending', ...step }))
}

function ProgressIcon({ isDone, isRejected, size }: { isDone: boolean; isRejected: boolean; size: number }) {
  if (isDone) return <CircleCheck size={size} className="shrink-0 text-ok" aria-hidden="true" />
  if (isRejected) return <CircleX size={size} className="shrink-0 text-danger" aria-hidden="true" />
  return <span className="size-2.5 shrink-0 animate-pulse rounded-full bg-accent" aria-hidden="true" />
}

/** Whether the first announce has arrived, in one line. */
export function Arrival({ id }: { id: string }) {
  const { data: server } = useQuery(serverOptions(id))
  const { data: attempts = [] } = useQuery(announcesOptions(id))
  const [newest] = attempts
  const hasArrived = server !== undefined && server.status !== 'never_seen'
  const rejected = newest?.outcome === 'refused' ? newest : undefined
  return (
    <p role="status" className="flex min-w-0 flex-1 basis-64 items-center gap-2 text-13 text-ink-2">
      <ProgressIcon isDone={hasArrived} isRejected={rejected !== undefined} size={18} />
      <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
        {hasArrived ? m.new_server_arrived() : rejected ? rejectionText(rejected) : m.servers_first_waiting()}
      </span>
    </p>
  )
}

const rejectionText = ({ message }: AnnounceAttempt) => m.servers_first_rejected({ reason: message })

interface FirstAnnounceProps {
  server: Server
  /** Known only in the page that created it. */
  credential: string | undefined
  /** Shown once the server is listed, in place of the guide. */
  nextSteps: ReactNode
}

export function FirstAnnounce({ server, credential, nextSteps }: FirstAnnounceProps) {
  const { listed } = server.listing
  const isReady = isReachable(server)
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[400px_minmax(0,1fr)]">
      <div className="lg:sticky lg:top-6 lg:-m-1 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:p-1">
        <Progress server={server} />
        <Link
          to="/servers/$server_id"
          params={{ server_id: server.public_id }}
          className={buttonClass(isReady ? 'primary' : 'secondary', 'mt-5 max-sm:w-full')}
        >
          {listed ? m.servers_first_open() : m.servers_first_skip()}
        </Link>
        {!listed && <Troubleshooting server={server} credential={credential} />}
      </div>
      {isReady ? (
        <Suspense fallback={<Skeleton className="h-72" />}>{nextSteps}</Suspense>
      ) : (
        <section aria-labelledby="connect" className="card p-5 sm:p-6">
          <h2 id="connect" className="mb-4 text-16 font-semibold">
            {m.servers_connect_title()}
          </h2>
          <ConnectGuide server={server} credential={credential} />
        </section>
      )}
    </div>
  )
}

function titleOf(server: Server, isRejected: boolean): string {
  if (server.listing.listed) return isReachable(server) ? m.servers_first_listed() : m.servers_first_unproven()
  if (isRejected) return m.servers_first_rejected_title()
  return server.status === 'never_seen' ? m.servers_first_waiting() : m.servers_first_waiting_again()
}

function Progress({ server }: { server: Server }) {
  const { data: attempts = [] } = useQuery(announcesOptions(server.public_id))
  const { data: endpoint } = useQuery(endpointOptions(server.public_id))
  const { listed, reasons } = server.listing
  const [newest] = attempts
  const isReady = isReachable(server)
  const rejected = !listed && newest?.outcome === 'refused' ? newest : undefined
  const title = titleOf(server, rejected !== undefined)
  return (
    <section
      className={cx(
        'rounded-10 border p-5 transition-colors duration-150 sm:p-6',
        isReady ? 'border-ok tint-ok' : 'border-line bg-surface-1',
      )}
    >
      <h2 className={cx('flex items-center gap-3 text-16 font-semibold', isReady && 'text-ok')}>
        <ProgressIcon isDone={isReady} isRejected={rejected !== undefined} size={22} />
        {title}
      </h2>
      <p role="status" className="sr-only">
        {isReady ? m.servers_first_listed_status() : listed ? title : ''}
      </p>
      {!listed && <p className="mt-1 text-ink-2">{rejected ? m.servers_first_rejected_hint() : m.servers_first_hint()}</p>}
      <CheckList checks={checksOf(server, attempts, endpoint)} />
      {rejected && (
        <ErrorNote className="mt-5">
          <span className="block font-medium">{rejectionText(rejected)}</span>
          <span className="mt-1 block text-ink-1">{remedyOf(rejected)}</span>
        </ErrorNote>
      )}
      {!listed && server.status === 'online' && reasons[0] && <p className="mt-5 text-13 text-ink-2">{reasons[0].message}</p>}
    </section>
  )
}

function Troubleshooting({ server, credential = PLACEHOLDER }: { server: Server; credential: string | undefined }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  const [connection] = useConnection()
  return (
    <details className="mt-6">
      <summary className="w-fit rounded-6 text-13 text-ink-2 hover:text-ink-1">{m.servers_first_help()}</summary>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-13 text-ink-2">
        <li>
          <SetupRemedy connection={connection} />
        </li>
        <li>{m.servers_first_help_credential()}</li>
        <li>
          <RichText
            message={m.servers_first_help_network}
            tags={{ address: () => <code className="font-mono [overflow-wrap:anywhere]">{about.masterlist_url}</code> }}
          />
        </li>
      </ul>
      <div className="mt-2">
        <AnnounceCommand server={server} credential={credential} />
      </div>
    </details>
  )
}

/** Where the cause can be: in the configuration, or in what the program prints. */
function SetupRemedy({ connection: { settings, log } }: { connection: Connection }) {
  const code = (text: string) => <code className="font-mono">{text}</code>
  if (settings === undefined) return <RichText message={m.servers_first_help_config} tags={{ code }} />
  if (log === undefined) return m.servers_first_help_program()
  return <RichText message={m.servers_first_help_log} tags={{ command: () => code(log) }} />
}
