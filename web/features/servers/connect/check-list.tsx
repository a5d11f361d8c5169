import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'

export interface Check {
  readonly state: 'done' | 'failed' | 'current' | 'pending'
  readonly text: string
  /** What to do. */
  readonly note?: ReactNode
}

/** Steps that tick themselves off. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ol className="mt-5 space-y-3">
      {checks.map(({ state, text, note }, index) => (
        <li key={index} className={cx('flex gap-3', state === 'pending' ? 'text-ink-3' : 'text-ink-1')}>
          <span className="mt-0.5 shrink-0">
            <CheckMark state={state} />
          </span>
          <div className="min-w-0 [overflow-wrap:anywhere]">
            {text} <span className="sr-only">{stateText(state)}</span>
            {note !== undefined && <div className="mt-1 text-13 text-ink-2">{note}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function stateText(state: Check['state']): string {
  if (state === 'done') return m.servers_first_done()
  return state === 'failed' ? m.servers_first_failed() : m.servers_first_pending()
}

export function CheckMark({ state }: Pick<Check, 'state'>) {
  if (state === 'done') return <CircleCheck size={18} className="text-ok" aria-hidden="true" />
  if (state === 'failed') return <CircleX size={18} className="text-danger" aria-hidden="true" />
  if (state === 'pending') return <CircleDashed size={18} aria-hidden="true" />
  return (
    <span className="mx-px flex size-4 text-accent">
      <span className="spinner" aria-hidden="true" />
    </span>
  )
}
