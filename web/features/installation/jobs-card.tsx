import { ChevronRight, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { Status } from '#contract/status/status.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { ListCard } from '#web/ui/card.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { secondsText } from './seconds-text.ts'
import { Advice, StateIcon } from './state-marks.tsx'

type Job = Status['jobs'][number]

/** Jobs with a problem are open; all of them are one press away. */
export function JobsCard({ jobs, hasManyNodes }: Pick<Status, 'jobs'> & { hasManyNodes: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const troubled = jobs.filter(({ state }) => state !== 'fine')
  return (
    <ListCard id="jobs" title={m.installation_jobs()} description={m.installation_jobs_about()}>
      {troubled.length === 0 ? (
        <p className="flex items-center gap-2 px-5 py-3.5 text-13 text-ink-2">
          <CircleCheck size={16} className="shrink-0 text-ok" aria-hidden="true" />
          {m.installation_jobs_fine()}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {troubled.map((job) => (
            <TroubledJob key={job.name} job={job} />
          ))}
        </ul>
      )}
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex min-h-11 list-none items-center gap-2 px-5 text-13 text-ink-2 outline-offset-[-3px] hover:text-ink-1 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            size={15}
            className="shrink-0 text-ink-3 transition-transform duration-100 group-open:rotate-90"
            aria-hidden="true"
          />
          {m.installation_all_jobs({ count: formatNumber(jobs.length) })}
        </summary>
        {isOpen && <JobTable jobs={jobs} hasManyNodes={hasManyNodes} />}
      </details>
    </ListCard>
  )
}

function TroubledJob({ job }: { job: Job }) {
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="flex min-w-0 items-center gap-2 font-mono text-13 font-medium">
          <StateIcon state={job.state} />
          <span className="min-w-0 break-all">{job.name}</span>
        </h3>
        <span className="text-13 text-ink-3">
          {m.installation_succeeded()}: <LastSuccess job={job} />
        </span>
      </div>
      <LastFailure job={job} />
      <Advice finding={job} className="mt-3" />
    </li>
  )
}

function LastSuccess({ job: { succeeded_at: at, is_running: isRunning } }: { job: Job }) {
  if (isRunning && at === null) return m.installation_running()
  return at === null ? m.installation_never() : <TimeAgo at={at} />
}

function LastFailure({ job: { failed_at: at, failure } }: { job: Job }) {
  if (at === null) return null
  return (
    <p className="mt-1 text-13 break-words text-ink-2">
      <span className="text-ink-3">
        {m.installation_failed()}, <TimeAgo at={at} />:
      </span>{' '}
      {failure}
    </p>
  )
}

function JobTable({ jobs, hasManyNodes }: { jobs: readonly Job[]; hasManyNodes: boolean }) {
  const sorted = jobs.toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <table className="mb-3 w-full text-left text-13">
      <thead className="text-12 text-ink-3">
        <tr className="h-8">
          <th scope="col" className="pl-5 font-medium">
            {m.installation_job()}
          </th>
          {hasManyNodes && (
            <th scope="col" className="px-3 font-medium max-lg:hidden">
              {m.installation_node()}
            </th>
          )}
          <th scope="col" className="px-3 text-right font-medium">
            {m.installation_succeeded()}
          </th>
          <th scope="col" className="pr-5 text-right font-medium">
            {m.installation_duration()}
          </th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {sorted.map((job) => (
          <tr key={job.name} className="border-t border-line align-top">
            <th scope="row" className="py-2 pl-5 text-left font-normal">
              <span className="flex items-start gap-2">
                <StateIcon state={job.state} size={14} />
                <span className="min-w-0">
                  <span className="font-mono text-12 break-words">{job.name}</span>
                  <LastFailure job={job} />
                </span>
              </span>
            </th>
            {hasManyNodes && <td className="px-3 py-2 text-ink-2 max-lg:hidden">{job.node}</td>}
            <td className="px-3 py-2 text-right text-ink-2">
              <LastSuccess job={job} />
            </td>
            <td className="py-2 pr-5 text-right text-ink-2">{job.duration_seconds !== null && secondsText(job.duration_seconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
