/** Every kind of happening in words, with its picture. An action without words does not compile. */
import {
  ArrowRightLeft,
  Ban,
  CalendarClock,
  CircleSlash,
  Clock,
  Eye,
  Gem,
  Gift,
  Layers,
  Settings2,
  KeyRound,
  type LucideIcon,
  MapPin,
  MessageSquare,
  Pencil,
  Plus,
  Scale,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  SlidersHorizontal,
  StickyNote,
  Trash2,
  Undo2,
  UserCheck,
  UserCog,
  UserMinus,
  UserPlus,
} from 'lucide-react'
import type { Action } from '#contract/activity.ts'

/** How much a happening matters; its picture and its words say the same. */
export type Tone = 'ok' | 'info' | 'warn' | 'danger'

/**
 * What stands in a sentence: who did it, of whom it is about (`your`, `alice’s`), the other person in it, whichever of sender and
 * recipient did not act, the server, and the protection issue.
 */
const PARTS = ['who', 'owners', 'user', 'other', 'server', 'issue'] as const
export type Part = (typeof PARTS)[number]

interface Words {
  readonly icon: LucideIcon
  readonly tone?: Tone
  /** Parts stand in braces. */
  readonly text: string
  /** Where nobody did it: its time was over, or the account of one of the two was banned or erased. */
  readonly bySystem?: string
}

export const WORDS: Readonly<Record<Action, Words>> = {
  SERVER_CREATED: { icon: Plus, tone: 'ok', text: '{who} registered {server}' },
  SERVER_CHANGED: { icon: Pencil, text: '{who} changed {server}' },
  SERVER_DELETED: { icon: Trash2, tone: 'danger', text: '{who} deleted {server}' },
  SERVER_BANNED: { icon: Ban, tone: 'danger', text: '{who} banned {server}' },
  SERVER_UNBANNED: { icon: ShieldCheck, tone: 'ok', text: '{who} lifted the ban of {server}', bySystem: 'The ban of {server} ended' },
  CREDENTIAL_REISSUED: { icon: KeyRound, tone: 'warn', text: '{who} made a new credential for {server}' },
  ADDRESS_RESET: { icon: MapPin, tone: 'warn', text: '{who} reset the bound address of {server}' },
  TRANSFER_OFFERED: { icon: ArrowRightLeft, tone: 'info', text: '{who} offered {server} to {user}' },
  TRANSFER_CANCELLED: {
    icon: Undo2,
    text: '{who} took back the offer of {server} to {user}',
    bySystem: 'The offer of {server} to {user} ended',
  },
  TRANSFER_DECLINED: { icon: CircleSlash, text: '{who} declined {server}, offered by {other}', bySystem: 'The offer of {server} ended' },
  TRANSFER_ACCEPTED: { icon: ArrowRightLeft, tone: 'ok', text: '{who} took over {server} from {other}' },
  TRANSFER_LAPSED: { icon: Clock, text: 'The offer of {server} to {user} lapsed' },
  MANAGER_GRANTED: { icon: UserPlus, tone: 'ok', text: '{who} let {user} manage {owners} servers' },
  MANAGER_CHANGED: { icon: UserCog, text: '{who} changed what {user} may do with {owners} servers' },
  MANAGER_REVOKED: {
    icon: UserMinus,
    tone: 'danger',
    text: '{who} stopped {user} from managing {owners} servers',
    bySystem: 'An account whose servers {user} managed was erased',
  },
  MANAGER_REFUSED: {
    icon: UserMinus,
    text: '{who} stopped managing {owners} servers',
    bySystem: 'An account that managed {owners} servers was erased',
  },
  ACCOUNT_CREATED: { icon: UserCheck, tone: 'ok', text: '{who} signed in for the first time' },
  ACCOUNT_DELETION_REQUESTED: { icon: CalendarClock, tone: 'danger', text: '{who} set {owners} account for deletion' },
  ACCOUNT_DELETION_CANCELLED: { icon: Undo2, tone: 'ok', text: '{who} cancelled the deletion of {owners} account' },
  ACCOUNT_ERASED: { icon: Trash2, tone: 'danger', text: '{who} erased an account' },
  ACCOUNT_BANNED: { icon: Ban, tone: 'danger', text: '{who} banned {owners} account' },
  ACCOUNT_UNBANNED: {
    icon: ShieldCheck,
    tone: 'ok',
    text: '{who} lifted the ban of {owners} account',
    bySystem: 'The ban of {owners} account ended',
  },
  LIMITS_CHANGED: { icon: SlidersHorizontal, text: '{who} changed {owners} limits' },
  BENEFIT_GRANTED: { icon: Gift, tone: 'ok', text: '{who} added to {owners} benefits' },
  TIER_CHANGED: { icon: Gem, text: '{who} changed {owners} tier' },
  BENEFIT_SETTINGS_CHANGED: { icon: Settings2, text: '{who} changed the settings of one of {owners} benefits' },
  GROUP_CREATED: { icon: Layers, tone: 'ok', text: '{who} made a group of {owners} servers' },
  GROUP_RENAMED: { icon: Layers, text: '{who} renamed one of {owners} groups' },
  GROUP_DELETED: { icon: Layers, tone: 'danger', text: '{who} deleted one of {owners} groups' },
  BENEFIT_TAKEN: { icon: Gift, text: '{who} took from {owners} benefits' },
  ISSUE_OPENED: { icon: ShieldAlert, tone: 'warn', text: '{who} found {issue} of {server}' },
  ISSUE_ACKNOWLEDGED: { icon: Eye, text: '{who} acknowledged {issue} of {server}' },
  ISSUE_REPLIED: { icon: MessageSquare, tone: 'info', text: '{who} wrote about {issue} of {server}' },
  ISSUE_NOTED: { icon: StickyNote, text: '{who} added a note to {issue}' },
  ISSUE_CONSEQUENCE_CHANGED: { icon: Scale, tone: 'warn', text: '{who} changed what follows from {issue} of {server}' },
  ISSUE_RESOLVED: { icon: ShieldCheck, tone: 'ok', text: '{who} resolved {issue} of {server}' },
  ISSUE_DISMISSED: { icon: ShieldOff, tone: 'ok', text: '{who} dismissed {issue} of {server}' },
  ISSUE_REOPENED: { icon: ShieldAlert, tone: 'warn', text: '{who} opened {issue} of {server} again' },
}

/** The sentence in its pieces: texts, and parts that are yet to be filled in. */
export function piecesOf(text: string): readonly (string | { part: Part })[] {
  return text
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const part = PARTS.find((each) => piece === `{${each}}`)
      return part ? { part } : piece
    })
}
