import { MessageSquareWarning } from 'lucide-react'
import type { IssueKind } from '#contract/protection/issue-kinds.ts'
import type { Consequence, IssueStatus, ProtectionIssue, Severity } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { Pill } from '#web/ui/pill.tsx'
import { CONSEQUENCE, isOpen, KIND_ICONS, SEVERITY, STATUS } from './issue-labels.ts'

export function KindIcon({ kind, className }: { kind: IssueKind; className?: string }) {
  const Icon = KIND_ICONS[kind] ?? MessageSquareWarning
  return <Icon size={17} className={cx('shrink-0 text-ink-3', className)} aria-hidden="true" />
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { name, bars, colour } = SEVERITY[severity]
  return (
    <span
      data-severity={severity}
      className={cx('inline-flex shrink-0 items-center gap-1.5 text-12 font-medium whitespace-nowrap', colour)}
    >
      <svg viewBox="0 0 12 12" className="size-3" fill="currentColor" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect key={bar} x={bar * 4.5} y={8 - bar * 4} width="3" height={4 + bar * 4} rx="0.75" opacity={bar < bars ? 1 : 0.25} />
        ))}
      </svg>
      <span aria-hidden="true">{name}</span>
      <span className="sr-only">{m.protection_severity_level({ severity: name })}</span>
    </span>
  )
}

export function StatusBadge({ status }: { status: IssueStatus }) {
  const { name, ...look } = STATUS[status]
  return (
    <Pill data-status={status} {...look}>
      {name}
    </Pill>
  )
}

export function ConsequenceBadge({ consequence }: { consequence: Consequence }) {
  const { name, description, ...look } = CONSEQUENCE[consequence]
  return (
    <Pill data-consequence={consequence} data-tip={description} {...look}>
      {name}
    </Pill>
  )
}

export function IssueBadges({ issue }: { issue: Pick<ProtectionIssue, 'status' | 'consequence' | 'severity'> }) {
  return (
    <>
      <StatusBadge status={issue.status} />
      {isOpen(issue) && <ConsequenceBadge consequence={issue.consequence} />}
      <SeverityBadge severity={issue.severity} />
    </>
  )
}
