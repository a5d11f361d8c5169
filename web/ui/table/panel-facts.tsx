import type { ReactNode } from 'react'
import { CopyButton } from '#web/ui/copy-button.tsx'

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="mt-4 divide-y divide-line border-y border-line text-13">{children}</dl>
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 py-1.5">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right text-ink-1">{children}</dd>
    </div>
  )
}

interface CopiedFactProps {
  label: string
  text: string
  /** "public id" */
  copies: string
}

export function CopiedFact({ label, text, copies }: CopiedFactProps) {
  return (
    <Fact label={label}>
      <span className="inline-flex items-center gap-1 font-mono break-all text-balance">
        {text}
        <CopyButton text={text} label={`Copy the ${copies}`} className="-my-1.5" />
      </span>
    </Fact>
  )
}
