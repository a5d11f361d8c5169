import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'

/** Why there is no form. */
export function WhyOnlyLooking({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-2.5 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
      <Lock size={15} className="mt-0.5 shrink-0 text-ink-3" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}

/** A field that can only be looked at. */
export function Shown({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-t border-line py-2.5 first:border-t-0 sm:grid-cols-[140px_minmax(0,1fr)]">
      <dt className="text-13 text-ink-3">{label}</dt>
      <dd className="[overflow-wrap:anywhere] whitespace-pre-line">
        {children === '' ? <span className="text-ink-3">none</span> : children}
      </dd>
    </div>
  )
}
