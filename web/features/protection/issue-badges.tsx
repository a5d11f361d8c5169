import { type LucideIcon, MessageSquareWarning } from 'lucide-react'
import type { IssueKind } from '#contract/protection/issue-kinds.ts'
import type { Consequence, IssueStatus, ProtectionIssue, Severity } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { CONSEQUENCE, isOpen, KIND_ICONS, SEVERITY, STATUS, type Tone } from './issue-labels.ts'

const TINT: Readonly<Record<Tone, string>> = {
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

export function KindIcon({ kind, className }: { kind: IssueKind; className?: string }) {
  const Icon = KIND_ICONS[kind] ?? MessageSquareWarning
  return <Icon size={17} className={cx('shrink-0 text-ink-3', className)} aria-hidden="true" />
}

export function SeverityBadge({ severity }: { severity: Severity }) {
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
      <span aria-hidden="true">{name}</span>
      <span className="sr-only">{m.protection_severity_level({ severity: name })}</span>
    </span>
  )
}

export function StatusBadge({ status }: { status: IssueStatus }) {
  return <Pill data-status={status} {...STATUS[status]} />
}

export function ConsequenceBadge({ consequence }: { consequence: Consequence }) {
  const { description, ...label } = CONSEQUENCE[consequence]
  return <Pill data-consequence={consequence} data-tip={description} {...label} />
}

interface PillProps {
  name: string
  icon: LucideIcon
  tone: Tone
}

function Pill({ name, icon: Icon, tone, ...data }: PillProps) {
  return (
    <span
      {...data}
      className={cx('inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap', TINT[tone])}
    >
      <Icon size={13} aria-hidden="true" />
      {name}
    </span>
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
