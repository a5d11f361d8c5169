import { Link } from '@tanstack/react-router'
import { EyeOff, Lock } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import type { BenefitField } from '#contract/benefits.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import type { ShownServer } from '#web/features/servers/access.ts'
import { type Entitlement, lockedReason, unlocks } from './entitlement.ts'

interface BenefitFieldProps {
  label: string
  field: BenefitField
  server: ShownServer
  entitlement: Entitlement
  /** What is set, to look at; null where nothing is. */
  value: ReactNode
  /** What takes the value away is called. */
  clear: string
  onClear: () => void
  /** What is wrong with it, also while it is locked. */
  error: string | undefined
  /** The control, where the benefit is there. */
  children: ReactNode
}

/**
 * A field that a benefit unlocks. Without the benefit it says which one and where that comes from; what is set stays in sight, can be
 * taken away, and comes back with the benefit.
 */
export function BenefitFieldRow({ label, field, server, entitlement, value, clear, onClear, error, children }: BenefitFieldProps) {
  const errorId = useId()
  const row = useRef<HTMLDivElement>(null)
  if (unlocks(entitlement, field)) return children
  const isOwn = server.owner === undefined
  return (
    <div
      ref={row}
      tabIndex={-1}
      role="group"
      aria-label={label}
      aria-describedby={errorId}
      className="relative rounded-10 border border-dashed border-line px-4 py-3 outline-none"
    >
      <p className="flex items-center gap-2 text-13 font-medium">
        <Lock size={14} className="shrink-0 text-ink-3" aria-hidden="true" />
        {label}
      </p>
      {value !== null && (
        <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">{value}</div>
          <Button
            onClick={() => {
              onClear()
              // The button goes with what it cleared.
              row.current?.focus()
            }}
          >
            {clear}
          </Button>
        </div>
      )}
      {value !== null && (
        <p className="mt-2.5 flex gap-1.5 text-13 text-ink-2">
          <EyeOff size={14} className="mt-[3px] shrink-0 text-ink-3" aria-hidden="true" />
          <span>Players don’t see it now: it comes back with the benefit.</span>
        </p>
      )}
      <p className="mt-1 text-13 text-ink-2">
        {lockedReason(field, server.owner?.discord.username)}{' '}
        {isOwn && (
          <Link to="/benefits" className="inline-flex min-h-6 items-center rounded-6 text-accent underline underline-offset-2">
            See benefits
          </Link>
        )}
      </p>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}
