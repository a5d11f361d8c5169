/** Severities, statuses and consequences in words, and the icons of kinds. The names of kinds: `contract/issue-kinds.ts`. */
import {
  CircleCheck,
  CircleDot,
  CircleSlash,
  Eye,
  EyeOff,
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
import type { IssueKind } from '#contract/issue-kinds.ts'
import type { Consequence, IssueStatus, Severity } from '#contract/protection.ts'

export type Tone = 'ok' | 'info' | 'warn' | 'danger' | 'neutral'

export const KIND_ICONS: Partial<Record<IssueKind, LucideIcon>> = {
  ADDRESS_MISMATCH: MapPin,
  REVOKED_CREDENTIAL: KeyRound,
  IMPLAUSIBLE_PLAYERS: UsersRound,
  IMPERSONATION: VenetianMask,
  UNREACHABLE: Unplug,
  ANNOUNCE_FLOOD: Gauge,
}

/** `bars`: how many of three are filled. */
export const SEVERITY: Readonly<Record<Severity, { name: string; bars: 1 | 2 | 3; tone: Tone }>> = {
  LOW: { name: 'Low', bars: 1, tone: 'info' },
  MEDIUM: { name: 'Medium', bars: 2, tone: 'warn' },
  HIGH: { name: 'High', bars: 3, tone: 'danger' },
}

export const STATUS: Readonly<Record<IssueStatus, { name: string; icon: LucideIcon; tone: Tone }>> = {
  OPEN: { name: 'Open', icon: CircleDot, tone: 'warn' },
  ACKNOWLEDGED: { name: 'Acknowledged', icon: Eye, tone: 'info' },
  RESOLVED: { name: 'Resolved', icon: CircleCheck, tone: 'ok' },
  DISMISSED: { name: 'Dismissed', icon: CircleSlash, tone: 'neutral' },
}

export const CONSEQUENCE: Readonly<Record<Consequence, { name: string; means: string; icon: LucideIcon; tone: Tone }>> = {
  NOTICE: {
    name: 'Notice only',
    means: 'The owner is told, here and in the reply to each announce. Players see no difference.',
    icon: MessageSquareWarning,
    tone: 'neutral',
  },
  UNRANKED: {
    name: 'Not ranked',
    means: 'The server stands after all ranked ones on the list, and a promotion does not count.',
    icon: ListEnd,
    tone: 'warn',
  },
  UNLISTED: {
    name: 'Not listed',
    means: 'The server is not on the list. Its page and its address work as before.',
    icon: EyeOff,
    tone: 'danger',
  },
}

export const isOpen = ({ status }: { readonly status: IssueStatus }): boolean => status === 'OPEN' || status === 'ACKNOWLEDGED'

export function timesSeen(occurrences: number): string {
  return occurrences === 1 ? 'Found once' : `Found ${occurrences.toLocaleString('en')} times`
}
