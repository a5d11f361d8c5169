import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import { useEffect } from 'react'
import type { AnnounceAttempt } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { isStatus, messageOf } from '#web/lib/http/call.ts'
import { dayAndTime, exactTime, localDay, timeOfDay, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState, RetryNote, Skeleton } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { familyName } from './endpoint/family.tsx'
import { invalidateAdminServer } from './server-mutations.ts'
import { announcesOptions, serverOptions } from './servers.api.ts'

/** The last fifty announce attempts. Owners and managers see changes and rejections at once. Other attempts are polled. */
export function AnnouncesTab({ id, asAdmin = false }: { id: string; asAdmin?: boolean }) {
  const { data: attempts, error, refetch } = useQuery(announcesOptions(id, asAdmin))
  const client = useQueryClient()
  // Refetches the server. Its page then shows the reason: deleted, transferred or no longer managed.
  useEffect(() => {
    if (!isStatus(error, 404)) return
    if (asAdmin) return invalidateAdminServer(client, id)
    void client.invalidateQueries({ queryKey: serverOptions(id).queryKey, exact: true })
    void client.invalidateQueries({ queryKey: ['managed'] })
  }, [error, client, id, asAdmin])
  if (attempts === undefined) {
    if (error === null) return <Skeleton className="h-72" />
    return <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
  }
  if (attempts.length === 0) {
    return (
      <EmptyState title={m.servers_announces_empty()}>
        <RichText message={m.servers_announces_empty_hint} tags={{ code: (text) => <code className="font-mono text-13">{text}</code> }} />
      </EmptyState>
    )
  }
  return (
    <section className="card p-5" aria-label={m.servers_announces_recent()}>
      <ol className="relative">
        {runsOf(attempts).map((run) => (
          <TimelineEntry key={`${run.oldest.at}${run.newest.code}`} run={run} />
        ))}
      </ol>
    </section>
  )
}

/** What a line of the timeline shows of an attempt, besides its time. */
const SHOWN = ['code', 'outcome', 'message', 'address'] as const

interface Run {
  newest: AnnounceAttempt
  oldest: AnnounceAttempt
  count: number
}

/** Joins consecutive attempts with the same result, message and address. `attempts` is sorted newest first. */
function runsOf(attempts: readonly AnnounceAttempt[]): Run[] {
  const runs: Run[] = []
  for (const attempt of attempts) {
    const last = runs.at(-1)
    if (last !== undefined && SHOWN.every((key) => last.newest[key] === attempt[key])) {
      last.oldest = attempt
      last.count += 1
    } else runs.push({ newest: attempt, oldest: attempt, count: 1 })
  }
  return runs
}

/** Accepted attempts that changed the status of the server. */
const STATUS_CHANGES: Readonly<Record<string, string>> = { CAME_ONLINE: m.servers_announces_online(), LEFT: m.servers_announces_offline() }

/** Accepted, but players may not get what it says. */
const WARNINGS: Readonly<Record<string, string>> = { TWO_PROCESSES: m.servers_announces_ignored() }

function TimelineEntry({ run }: { run: Run }) {
  const { newest, count } = run
  const isRejected = newest.outcome === 'refused'
  const hasRemedy = newest.remedy !== '' && !Object.hasOwn(STATUS_CHANGES, newest.code)
  const warning = WARNINGS[newest.code]
  const [Icon, colour] = isRejected
    ? [CircleX, 'text-danger']
    : warning === undefined
      ? [CircleCheck, 'text-ok']
      : [CircleAlert, 'text-warn']
  return (
    <li className="relative flex gap-3 pb-6 before:absolute before:top-6 before:bottom-0 before:left-[9px] before:w-px before:bg-line last:pb-0 last:before:hidden">
      <Icon size={19} className={cx('relative mt-px shrink-0', colour)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
          <span className="font-medium">
            {isRejected ? m.servers_announces_rejected() : (warning ?? STATUS_CHANGES[newest.code] ?? m.servers_announces_accepted())}
          </span>
          {count > 1 && (
            <span className="rounded-6 bg-surface-2 px-1.5 text-12 text-ink-2 tabular-nums">{m.servers_announces_times({ count })}</span>
          )}
          {!isRejected && <Sender address={newest.address} />}
          <span className="ml-auto text-12 whitespace-nowrap text-ink-3">
            <TimeRange run={run} />
          </span>
        </div>
        {(isRejected || hasRemedy) && <p className="mt-0.5 [overflow-wrap:anywhere] text-ink-2">{newest.message}</p>}
        {hasRemedy && <p className="mt-2 border-l-2 border-accent pl-3 text-13 [overflow-wrap:anywhere] text-ink-1">{remedyOf(newest)}</p>}
        {isRejected && <TechnicalDetails attempt={newest} />}
      </div>
    </li>
  )
}

function TechnicalDetails({ attempt: { code, address, remedy } }: { attempt: AnnounceAttempt }) {
  return (
    <details className="mt-1.5 text-13">
      <summary className="inline-flex min-h-6 items-center rounded-6 font-medium text-ink-3 hover:text-ink-1 pointer-coarse:min-h-11">
        {m.servers_announces_details()}
      </summary>
      <p className="mt-1 font-mono text-12 break-all text-ink-2">{code}</p>
      {hasOwnRemedy(code) && <p className="mt-1 [overflow-wrap:anywhere] text-ink-2">{remedy}</p>}
      <p className="mt-1">
        <Sender address={address} />
      </p>
    </details>
  )
}

function Sender({ address }: { address: string }) {
  return (
    <span className="text-12 text-ink-3">
      <RichText message={m.servers_announces_from} tags={{ address: () => <span className="font-mono break-all">{address}</span> }} />{' '}
      <span className="rounded-6 border border-line px-1 whitespace-nowrap">{familyName(address)}</span>
    </span>
  )
}

function TimeRange({ run: { oldest, newest, count } }: { run: Run }) {
  const now = useNow()
  const exact = count > 1 ? `${exactTime(oldest.at)} – ${exactTime(newest.at)}` : exactTime(newest.at)
  return (
    <span data-tip={exact} className="rounded-6 tabular-nums">
      {timeRangeText(oldest.at, newest.at, now)}
    </span>
  )
}

/** `20:01 – 20:05`, with the days unless both times are today. */
function timeRangeText(from: string, to: string, now: number): string {
  const isToday = localDay(to) === localDay(now)
  if (from === to) return isToday ? timeOfDay(to) : dayAndTime(to)
  if (!isToday) return `${dayAndTime(from)} – ${dayAndTime(to)}`
  const first = localDay(from) === localDay(to) ? timeOfDay(from) : dayAndTime(from)
  const last = timeOfDay(to)
  return first === last ? last : `${first} – ${last}`
}

/** What to do in the game server's settings. The API's remedy is for its developer. */
const REMEDIES: Readonly<Record<string, () => string>> = {
  TOO_OFTEN: m.servers_announces_too_often,
  TOO_MANY_REQUESTS: m.servers_announces_too_many,
  BODY_TOO_LARGE: m.servers_announces_body,
  BODY_NOT_JSON: m.servers_announces_body,
  BODY_WRONG_TYPE: m.servers_announces_body,
  UNAVAILABLE: m.servers_announces_unavailable,
}

/** Whether the owner reads another remedy than the developer. */
const hasOwnRemedy = (code: string) => Object.hasOwn(REMEDIES, code)

/** Empty if there is nothing to do. */
export const remedyOf = ({ code, remedy }: AnnounceAttempt): string => (hasOwnRemedy(code) ? REMEDIES[code]?.() : undefined) ?? remedy
