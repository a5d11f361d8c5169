import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Radio } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { ServerEndpoint } from '#contract/servers/endpoint.ts'
import type { AnnounceAttempt } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { isOpen } from '#web/features/protection/issue-labels.tsx'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { remedyOf } from '#web/features/servers/announces-tab.tsx'
import { announcesOptions, endpointOptions } from '#web/features/servers/servers.api.ts'
import { reasonText, unprovenReason } from '#web/features/servers/status.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote, Skeleton } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { type Check, CheckList } from './check-list.tsx'
import { ConnectGuide } from './connect-guide.tsx'
import { namedHostOf } from './route.ts'

interface ConnectTabProps {
  server: ShownServer
  /** Below the test of a listed server. */
  nextSteps?: ReactNode
  onReissue: () => void
}

export function ConnectTab({ server, nextSteps, onReissue }: ConnectTabProps) {
  const canReissue = hasPermission(server, 'REISSUE_CREDENTIAL')
  // The guide begins with the host that the server names. Loaded later, it would shift the rest.
  const { isPending } = useQuery(endpointOptions(server.public_id))
  if (isPending) return <Skeleton className="h-96" />
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_380px]">
      <section aria-labelledby="connect" className="card p-5">
        <h2 id="connect" className="mb-4 font-medium">
          {m.servers_connect_title()}
        </h2>
        <ConnectGuide
          server={server}
          placeholderNote={canReissue ? m.servers_connect_placeholder_here : m.servers_connect_placeholder_ask}
          action={
            canReissue && (
              <Button onClick={onReissue}>
                {server.credential_hint === '' ? m.servers_credential_create() : m.servers_credential_reissue()}
              </Button>
            )
          }
        />
      </section>
      <div className="space-y-5 lg:sticky lg:top-6 lg:-m-1 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:p-1">
        <TestNow server={server} />
        {server.listing.listed && nextSteps}
      </div>
    </div>
  )
}

const POLL_MS = 2000

/** The newest announce. A goodbye is an attempt, too. */
const newestOf = (attempts: readonly AnnounceAttempt[] = []) => attempts.find(({ code }) => code !== 'LEFT')

/** Watches for the next announce, and shows how far it gets. */
function TestNow({ server }: { server: ShownServer }) {
  const test = useAnnounceTest(server)
  const start = useSingleFlight(test.start)
  const { data: about } = useSuspenseQuery(aboutOptions)
  const unreachable = useUnreachableIssue(server)
  const { data: endpoint } = useQuery(endpointOptions(server.public_id))
  const checks = [
    receivedCheck(test),
    ...(about.checks_reachability ? [reachableCheck(test, server, unreachable)] : []),
    listedCheck(test, server),
    ...(endpoint && namedHostOf(endpoint) !== '' ? [provenCheck(test, server, endpoint)] : []),
  ]
  const failed = checks.find(({ state }) => state === 'failed')
  const isPassed = checks.every(({ state }) => state === 'done')
  return (
    <section aria-labelledby="test-now" className="card p-5">
      <h2 id="test-now" className="flex items-center gap-2 font-medium">
        <Radio size={16} className="text-ink-3" aria-hidden="true" />
        {m.servers_test_title()}
      </h2>
      <p className="mt-1 text-13 text-ink-2">{m.servers_test_hint()}</p>
      <CheckList checks={checks} />
      {test.error && <ErrorNote className="mt-4">{messageOf(test.error)}</ErrorNote>}
      <Button className="mt-5" variant={isPassed ? 'secondary' : 'primary'} busy={test.isRunning && failed === undefined} onClick={start}>
        {failed === undefined && !isPassed ? m.servers_test_start() : m.servers_test_again()}
      </Button>
      <p role="status" className="sr-only">
        {isPassed ? m.servers_test_passed() : (failed?.text ?? (test.isRunning ? m.servers_test_waiting() : ''))}
      </p>
    </section>
  )
}

type AnnounceTest = ReturnType<typeof useAnnounceTest>

/** Watches for announces from the start until the server is listed at its host, for as long as a server can be silent while it is online. */
function useAnnounceTest(server: ShownServer) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  /** The time of the newest announce before the start. */
  const [since, setSince] = useState<string>()
  const [isTimedOut, setTimedOut] = useState(false)
  const isWatching = since !== undefined && !isTimedOut
  const { data, error, refetch } = useQuery({ ...announcesOptions(server.public_id), refetchInterval: isWatching && POLL_MS })
  const newest = newestOf(data)
  const attempt = since !== undefined && newest !== undefined && newest.at > since ? newest : undefined
  const timeoutMs = about.announce_ttl_seconds * 1000
  useEffect(() => {
    if (!isWatching) return undefined
    const timer = setTimeout(() => setTimedOut(true), timeoutMs)
    return () => clearTimeout(timer)
  }, [isWatching, since, timeoutMs])
  return {
    start: async () => {
      // Announces of an online server are only polled, so the known ones may be old.
      const { data: current } = await refetch()
      setSince(newestOf(current)?.at ?? '')
      setTimedOut(false)
    },
    isRunning: isWatching && !(attempt?.outcome === 'accepted' && server.listing.listed && unprovenReason(server) === undefined),
    /** The newest announce since the start. */
    attempt,
    isTimedOut: isTimedOut && attempt === undefined,
    error: isWatching ? error : null,
  }
}

/** Only owners can read the issues of a server. */
function useUnreachableIssue({ owner, user_id, public_id: id }: ShownServer) {
  const { data: issues } = useQuery({ ...issuesOfUserOptions(user_id), enabled: owner === undefined })
  return issues?.find((issue) => issue.kind === 'UNREACHABLE' && issue.server?.public_id === id && isOpen(issue))
}

function receivedCheck({ isRunning, attempt, isTimedOut }: AnnounceTest): Check {
  if (isTimedOut) return { state: 'failed', text: m.servers_test_timeout(), note: <TimeoutHint /> }
  if (attempt === undefined) return { state: isRunning ? 'current' : 'pending', text: m.servers_test_receive() }
  if (attempt.outcome === 'accepted') return { state: 'done', text: m.servers_test_received({ address: attempt.address }) }
  return { state: 'failed', text: m.servers_first_rejected({ reason: attempt.message }), note: remedyOf(attempt) }
}

function reachableCheck(test: AnnounceTest, server: ShownServer, unreachable: { id: string } | undefined): Check {
  if (test.attempt?.outcome !== 'accepted') return { state: 'pending', text: m.servers_test_reach() }
  if (unreachable) return { state: 'failed', text: ISSUES.UNREACHABLE.name(), note: <IssueLink id={unreachable.id} /> }
  // A manager does not know which issue it is.
  const hasIssue = server.listing.reasons.some(({ code }) => code === 'HELD_BACK' || code === 'UNRANKED')
  if (server.owner && hasIssue) return { state: 'pending', text: m.servers_test_reach() }
  return { state: 'done', text: m.servers_test_reachable() }
}

function listedCheck(test: AnnounceTest, server: ShownServer): Check {
  const [reason] = server.listing.reasons
  if (test.attempt?.outcome !== 'accepted') return { state: 'pending', text: m.servers_first_list() }
  if (server.listing.listed) return { state: 'done', text: m.servers_first_visible() }
  if (server.status !== 'online' || reason === undefined) return { state: 'current', text: m.servers_first_list() }
  return { state: 'failed', text: m.servers_why_not_listed(), note: reasonText(reason, server) }
}

function provenCheck(test: AnnounceTest, server: ShownServer, { probe, failure }: ServerEndpoint): Check {
  const reason = unprovenReason(server)
  if (test.attempt?.outcome !== 'accepted') return { state: 'pending', text: m.servers_first_proven() }
  if (reason === undefined) return { state: server.listing.listed ? 'done' : 'pending', text: m.servers_first_proven() }
  if (failure === '' && probe !== 'none') return { state: 'current', text: m.servers_first_proven(), note: reason.message }
  return { state: 'failed', text: m.servers_first_unproven(), note: reason.message }
}

function TimeoutHint() {
  const { data: about } = useSuspenseQuery(aboutOptions)
  return (
    <RichText
      message={m.servers_test_timeout_hint}
      tags={{ address: () => <code className="font-mono [overflow-wrap:anywhere]">{about.masterlist_url}</code> }}
    />
  )
}

function IssueLink({ id }: { id: string }) {
  return (
    <Link to="/protection-issues/$issue_id" params={{ issue_id: id }} className="text-accent underline underline-offset-2">
      {m.servers_why_issue()}
    </Link>
  )
}
