import type { IssueDetail } from '#contract/protection.ts'
import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'
import type { Viewer } from './issue-list.tsx'
import { ConsequenceMark } from './marks.tsx'
import { CONSEQUENCE, isOpen } from './words.ts'

/** What is in force because of it, what comes next and when, and when it is over. */
export function WhatFollows({ issue, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const open = isOpen(issue)
  const { consequence, consequence_text: means, next_consequence: next, ends } = issue
  return (
    <section aria-labelledby="consequence" className="card p-5">
      <h2 id="consequence" className="font-medium">
        What follows
      </h2>
      {open ? (
        <>
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <ConsequenceMark consequence={consequence} />
            <span className="text-13 text-ink-3">in force now</span>
          </div>
          <p className="mt-2 text-pretty text-ink-2">{viewer === 'owner' ? means : CONSEQUENCE[consequence].means}</p>
          {next && <Next consequence={CONSEQUENCE[next.consequence].name} at={next.at} />}
          {ends !== '' && <p className="mt-3 border-t border-line pt-3 text-13 text-pretty text-ink-2">{ends}</p>}
        </>
      ) : (
        <p className="mt-2 text-ink-2">Nothing any more: it is over, and no consequence is in force.</p>
      )}
    </section>
  )
}

/** The moment ticks; the exact one on hover and focus. */
function Next({ consequence, at }: { consequence: string; at: string }) {
  const now = useNow()
  const due = Date.parse(at) <= now
  return (
    <p className="mt-3 rounded-6 tint-warn px-3 py-2.5 text-13 text-ink-1">
      If it goes on: <strong className="font-medium">{consequence}</strong>{' '}
      {due ? (
        'with the next finding.'
      ) : (
        <>
          <time dateTime={at} data-tip={exactTime(at)} className="rounded-6 tabular-nums">
            {relativeTime(at, now)}
          </time>
          .
        </>
      )}
    </p>
  )
}
