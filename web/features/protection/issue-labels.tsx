/** Names, icons, colours and badges of severities, statuses and consequences. `contract/protection/issue-kinds.ts` has the names of kinds. */
import {
  CircleCheck,
  CircleDot,
  CircleSlash,
  Eye,
  EyeOff,
  Flag,
  FlagOff,
  Gauge,
  KeyRound,
  ListEnd,
  type LucideIcon,
  MapPin,
  MessageSquareWarning,
  Unplug,
  UsersRound,
  VenetianMask,
} from 'lucide-react'
import type { IssueKind } from '#contract/protection/issue-kinds.ts'
import type { Consequence, IssueStatus, ProtectionIssue, Severity } from '#contract/protection/protection.ts'
import type { ReportReason } from '#contract/protection/reports.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { counted } from '#web/ui/count-text.ts'
import { Pill, type Tone } from '#web/ui/pill.tsx'

const KIND_ICONS: Partial<Record<IssueKind, LucideIcon>> = {
  ADDRESS_MISMATCH: MapPin,
  REVOKED_CREDENTIAL: KeyRound,
  IMPLAUSIBLE_PLAYERS: UsersRound,
  IMPERSONATION: VenetianMask,
  UNREACHABLE: Unplug,
  ANNOUNCE_FLOOD: Gauge,
  PLAYER_REPORTS: Flag,
  REPORT_ABUSE: FlagOff,
}

/** `bars`: how many of three are filled. */
export const SEVERITY: Readonly<Record<Severity, { name: string; bars: 1 | 2 | 3; colour: string }>> = {
  LOW: { name: m.protection_severity_low(), bars: 1, colour: 'text-info' },
  MEDIUM: { name: m.protection_severity_medium(), bars: 2, colour: 'text-warn' },
  HIGH: { name: m.protection_severity_high(), bars: 3, colour: 'text-danger' },
}

export const STATUS: Readonly<Record<IssueStatus, { name: string; icon: LucideIcon; tone: Tone }>> = {
  OPEN: { name: m.protection_status_open(), icon: CircleDot, tone: 'warn' },
  ACKNOWLEDGED: { name: m.protection_status_acknowledged(), icon: Eye, tone: 'info' },
  RESOLVED: { name: m.protection_status_resolved(), icon: CircleCheck, tone: 'ok' },
  DISMISSED: { name: m.protection_status_dismissed(), icon: CircleSlash, tone: 'neutral' },
}

export const CONSEQUENCE: Readonly<Record<Consequence, { name: string; description: string; icon: LucideIcon; tone: Tone }>> = {
  NOTICE: {
    name: m.protection_consequence_notice(),
    description: m.protection_consequence_notice_about(),
    icon: MessageSquareWarning,
    tone: 'neutral',
  },
  UNRANKED: {
    name: m.protection_consequence_unranked(),
    description: m.protection_consequence_unranked_about(),
    icon: ListEnd,
    tone: 'warn',
  },
  UNLISTED: {
    name: m.protection_consequence_unlisted(),
    description: m.protection_consequence_unlisted_about(),
    icon: EyeOff,
    tone: 'danger',
  },
}

export const REPORT_REASONS: Readonly<Record<ReportReason, { name: string }>> = {
  fake_players: { name: m.report_reason_fake_players() },
  impersonation: { name: m.report_reason_impersonation() },
  malicious: { name: m.report_reason_malicious() },
  offensive: { name: m.report_reason_offensive() },
  other: { name: m.report_reason_other() },
}

/** What an issue is about where its server would be named. */
export const subjectOf = ({ kind, server }: Pick<ProtectionIssue, 'kind' | 'server'>): string =>
  server?.name ?? (kind === 'REPORT_ABUSE' ? m.protection_about_account() : m.protection_server_deleted())

export const isOpen = ({ status }: { readonly status: IssueStatus }): boolean => status === 'OPEN' || status === 'ACKNOWLEDGED'

export const timesSeen = (occurrences: number): string => m.protection_times_seen(counted(occurrences))

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
