import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

interface FieldErrorProps {
  /** For the control's `aria-describedby`. */
  id: string
  children: string | undefined
  /** Shown if there is no error. */
  hint?: ReactNode
  /** Like `hint`, but for screen readers only. */
  announcement?: string
}

export function FieldError({ id, children, hint, announcement }: FieldErrorProps) {
  if (children === undefined) {
    return (
      <p id={id} aria-live="polite" className={hint === undefined ? 'sr-only' : 'mt-1.5 text-13 text-ink-3'}>
        {hint ?? announcement}
      </p>
    )
  }
  return (
    <p id={id} aria-live="polite" className="mt-1.5 flex gap-1.5 text-13 text-danger">
      <CircleAlert size={14} className="mt-[3px] shrink-0" aria-hidden="true" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  )
}
