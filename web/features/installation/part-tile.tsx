import type { ReactNode } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { Advice, borderOf, DocsIcon, type Finding, StateIcon } from './state-marks.tsx'

export interface Fact {
  readonly label: string
  /** Null is unknown. */
  readonly value: ReactNode
}

interface PartTileProps {
  id: string
  title: string
  /** Of each of its parts. The most urgent decides the look. */
  findings: readonly [Finding, ...Finding[]]
  /** What an administrator wants to know at a glance. */
  main: Fact
  facts?: readonly Fact[]
  children?: ReactNode
}

/** One part of the installation: its state, one large figure, and what to do. */
export function PartTile({ id, title, findings, main, facts = [], children }: PartTileProps) {
  const [first] = findings
  return (
    <section aria-labelledby={id} className={cx('card flex min-h-44 flex-col p-4', borderOf(first.state))}>
      <div className="flex items-center justify-between gap-2">
        <h2 id={id} tabIndex={-1} className="flex min-w-0 scroll-mt-10 items-center gap-2 font-medium outline-none">
          <StateIcon state={first.state} />
          <span className="min-w-0 break-words">{title}</span>
        </h2>
        <DocsIcon guide={first.guide} />
      </div>
      <dl className="mt-3 text-13">
        <div className="flex flex-col-reverse">
          <dt className="text-ink-3">{main.label}</dt>
          <dd className="text-20 font-semibold text-ink-1 tabular-nums">{main.value ?? m.installation_unknown()}</dd>
        </div>
        {facts.length > 0 && <div className="mt-2.5 border-t border-line pt-2" aria-hidden="true" />}
        {facts.map((fact) => (
          <FactLine key={fact.label} {...fact} />
        ))}
      </dl>
      {children}
      <div className="mt-auto">
        {findings.map((finding, index) => (
          <Advice key={index} finding={finding} className="mt-3" />
        ))}
      </div>
    </section>
  )
}

function FactLine({ label, value }: Fact) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 py-0.5">
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right break-words text-ink-1 tabular-nums">{value ?? m.installation_unknown()}</dd>
    </div>
  )
}
