import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'

const MARKS = {
  ok: <CircleCheck size={18} className="mt-px shrink-0 text-ok" aria-hidden="true" />,
  warn: <CircleAlert size={18} className="mt-px shrink-0 text-warn" aria-hidden="true" />,
  danger: <CircleX size={18} className="mt-px shrink-0 text-danger" aria-hidden="true" />,
  neutral: <CircleDashed size={18} className="mt-px shrink-0 text-ink-3" aria-hidden="true" />,
}

export interface State {
  readonly tone: keyof typeof MARKS
  readonly text: ReactNode
  readonly note?: ReactNode
}

/** A state in a sentence, and what to do about it. */
export function StateLine({ tone, text, note }: State) {
  return (
    <div className="flex gap-3 text-13">
      {MARKS[tone]}
      <p className="min-w-0 text-pretty [overflow-wrap:anywhere]">
        {text} <span className="text-ink-2">{note}</span>
      </p>
    </div>
  )
}
