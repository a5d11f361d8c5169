import { Link } from '@tanstack/react-router'
import { EyeOff, Lock } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import type { BenefitField } from '#contract/benefits.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { lockedReason, unlocks } from './entitlement.ts'
import { AS_TYPED, useListing } from './listing-input.ts'

interface BenefitFieldRowProps {
  label: string
  field: BenefitField
  /** What is set, to look at; null where nothing is. */
  value: ReactNode
  /** Label of the button that takes the value away. */
  clear: string
  /** The control, where the benefit is there. */
  children: ReactNode
}

/**
 * A field that a benefit unlocks. Locked, it says which benefit it needs; what is set stays in sight, can be taken away, and comes back
 * with the benefit.
 */
export function BenefitFieldRow({ label, field, value, clear, children }: BenefitFieldRowProps) {
  const { form, server, entitlement } = useListing()
  const errorId = useId()
  const row = useRef<HTMLDivElement>(null)
  if (entitlement && unlocks(entitlement, field)) return children
  const onClear = () => {
    form.setValue(field, field === 'promoted' ? false : null, AS_TYPED)
    if (field === 'icon_image_id') form.setValue('icon_url', null, AS_TYPED)
    // The button goes with what it cleared.
    row.current?.focus()
  }
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
        <>
          <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">{value}</div>
            <Button onClick={onClear}>{clear}</Button>
          </div>
          <p className="mt-2.5 flex gap-1.5 text-13 text-ink-2">
            <EyeOff size={14} className="mt-[3px] shrink-0 text-ink-3" aria-hidden="true" />
            <span>Players don’t see it now: it comes back with the benefit.</span>
          </p>
        </>
      )}
      <p className="mt-1 text-13 text-ink-2">
        {lockedReason(field, server.owner?.discord.username)}{' '}
        {server.owner === undefined && (
          <Link to="/benefits" className="inline-flex min-h-6 items-center rounded-6 text-accent underline underline-offset-2">
            See benefits
          </Link>
        )}
      </p>
      <FieldError id={errorId}>{form.formState.errors[field]?.message}</FieldError>
    </div>
  )
}
