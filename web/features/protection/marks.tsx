import { MessageSquareWarning } from 'lucide-react'
import type { IssueKind } from '#contract/issue-kinds.ts'
import type { Consequence, IssueStatus, Severity } from '#contract/protection.ts'
import { cx } from '#web/ui/class-names.ts'
import { CONSEQUENCE, KIND_ICONS, SEVERITY, STATUS, type Tone } from './words.ts'

const PILL: Readonly<Record<Tone, string>> = {
  ok: 'tint-ok text-ok',
  info: 'tint-info text-info',
  warn: 'tint-warn text-warn',
  danger: 'tint-danger text-danger',
  neutral: 'bg-surface-2 text-ink-2',
}

const TEXT: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  info: 'text-info',
  warn: 'text-warn',
  danger: 'text-danger',
  neutral: 'text-ink-2',
}

const PILL_SHAPE = 'inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap'

export function KindIcon({ kind, className }: { kind: IssueKind; className?: string }) {
  const Icon = KIND_ICONS[kind] ?? MessageSquareWarning
  return <Icon size={17} className={cx('shrink-0 text-ink-3', className)} aria-hidden="true" />
}

/** Bars and the word: never colour alone. */
export function SeverityMark({ severity }: { severity: Severity }) {
  const { name, bars, tone } = SEVERITY[severity]
  return (
    <span
      data-severity={severity}
      className={cx('inline-flex shrink-0 items-center gap-1.5 text-12 font-medium whitespace-nowrap', TEXT[tone])}
    >
      <svg viewBox="0 0 12 12" className="size-3" fill="currentColor" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect key={bar} x={bar * 4.5} y={8 - bar * 4} width="3" height={4 + bar * 4} rx="0.75" opacity={bar < bars ? 1 : 0.25} />
        ))}
      </svg>
      {name}
      <span className="sr-only"> severity</span>
    </span>
  )
}

export function StatusMark({ status }: { status: IssueStatus }) {
  const { name, icon: Icon, tone } = STATUS[status]
  return (
    <span data-status={status} className={cx(PILL_SHAPE, PILL[tone])}>
      <Icon size={13} aria-hidden="true" />
      {name}
    </span>
  )
}

/** What follows from an issue, with what that means as its tooltip. */
export function ConsequenceMark({ consequence }: { consequence: Consequence }) {
  const { name, means, icon: Icon, tone } = CONSEQUENCE[consequence]
  return (
    <span data-consequence={consequence} data-tip={means} className={cx(PILL_SHAPE, PILL[tone])}>
      <Icon size={13} aria-hidden="true" />
      {name}
    </span>
  )
}
