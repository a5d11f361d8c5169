/** What needs the administrator, at a glance. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { State, Status } from '#contract/status/status.ts'
import { m } from '#messages'
import { timeOfDay } from '#web/lib/time.ts'
import { ErrorNote, QueryPending } from '#web/ui/states.tsx'
import { StateIcon, StatePill } from './state-marks.tsx'
import { readinessOptions } from './status.api.ts'

interface Part {
  /** The element on the page. */
  readonly id: string
  readonly name: string
  readonly states: readonly State[]
}

function partsOf(status: Status): Part[] {
  const statesOf = (...rows: readonly { readonly state: State }[]) => rows.map(({ state }) => state)
  return [
    { id: 'list', name: m.installation_list(), states: statesOf(status.list) },
    { id: 'database', name: m.installation_database(), states: statesOf(status.database) },
    { id: 'storage', name: m.installation_storage(), states: statesOf(...status.storage) },
    { id: 'backup', name: m.installation_backup(), states: statesOf(status.backup) },
    { id: 'certificates', name: m.installation_certificates(), states: statesOf(...status.certificates) },
    { id: 'signed-list', name: m.installation_signed_list(), states: statesOf(...(status.signed_list ? [status.signed_list] : [])) },
    { id: 'deliveries', name: m.installation_deliveries(), states: statesOf(status.deliveries) },
    { id: 'deletions', name: m.installation_deletions(), states: statesOf(status.file_deletions, status.erasures) },
    { id: 'nodes', name: m.installation_nodes(), states: statesOf(...status.nodes) },
    { id: 'jobs', name: m.installation_jobs(), states: statesOf(...status.jobs) },
  ]
}

/** Screen readers read it again when it changes. */
export function Summary({ status }: { status: Status }) {
  const parts = partsOf(status)
  const acts = parts.filter(({ states }) => states.includes('act'))
  const watches = parts.filter((part) => part.states.includes('watch') && !acts.includes(part))
  return (
    <div role="status" className="card flex min-h-14 flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3">
      {acts.length + watches.length === 0 && (
        <p className="flex items-center gap-2.5 text-16 font-semibold">
          <StateIcon state="fine" size={20} />
          {m.installation_all_fine()}
        </p>
      )}
      {acts.length > 0 && <PartLinks state="act" parts={acts} />}
      {watches.length > 0 && <PartLinks state="watch" parts={watches} />}
    </div>
  )
}

function PartLinks({ state, parts }: { state: State; parts: readonly Part[] }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatePill state={state} />
      {parts.map(({ id, name }) => (
        <a key={id} href={`#${id}`} className="inline-link font-medium text-ink-1 pointer-coarse:py-2.5">
          {name}
        </a>
      ))}
    </div>
  )
}

/** Why what the page shows may be old. */
export function StalenessNote({ query }: { query: UseQueryResult<Status> }) {
  const { data: reason } = useQuery(readinessOptions)
  if (reason == null) return query.data !== undefined && <QueryPending query={query} className="mb-5" />
  const isDatabase = /^database (unavailable|does not respond)$/.test(reason)
  return (
    <ErrorNote className="mb-5">
      {isDatabase ? m.installation_database_silent({ time: timeOfDay(query.dataUpdatedAt) }) : m.installation_not_ready({ reason })}
    </ErrorNote>
  )
}
