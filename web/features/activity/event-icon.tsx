import {
  ArchiveRestore,
  ArrowRightLeft,
  Ban,
  CalendarClock,
  CircleSlash,
  Clock,
  Eye,
  Flag,
  Gem,
  Gift,
  KeyRound,
  Layers,
  LogOut,
  type LucideIcon,
  MapPin,
  MessageSquare,
  Pencil,
  Plus,
  Scale,
  Settings2,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  SlidersHorizontal,
  StickyNote,
  Trash,
  Trash2,
  Undo2,
  UserCheck,
  UserCog,
  UserMinus,
  UserPlus,
  Webhook,
} from 'lucide-react'
import { type Action, EVENTS, type Tone } from '#contract/events/events.ts'
import { cx } from '#web/ui/class-names.ts'

/** The type makes sure that every icon of the contract is here. */
const ICONS: Readonly<Record<(typeof EVENTS)[Action]['icon'], LucideIcon>> = {
  'archive-restore': ArchiveRestore,
  'arrow-right-left': ArrowRightLeft,
  ban: Ban,
  'calendar-clock': CalendarClock,
  'circle-slash': CircleSlash,
  clock: Clock,
  eye: Eye,
  flag: Flag,
  gem: Gem,
  gift: Gift,
  'key-round': KeyRound,
  layers: Layers,
  'map-pin': MapPin,
  'message-square': MessageSquare,
  pencil: Pencil,
  plus: Plus,
  scale: Scale,
  'settings-2': Settings2,
  'shield-alert': ShieldAlert,
  'shield-check': ShieldCheck,
  'shield-off': ShieldOff,
  'log-out': LogOut,
  'sliders-horizontal': SlidersHorizontal,
  'sticky-note': StickyNote,
  trash: Trash,
  'trash-2': Trash2,
  'undo-2': Undo2,
  'user-check': UserCheck,
  'user-cog': UserCog,
  'user-minus': UserMinus,
  'user-plus': UserPlus,
  webhook: Webhook,
}

const COLORS: Readonly<Record<Tone, string>> = { ok: 'text-ok', info: 'text-info', warn: 'text-warn', danger: 'text-danger' }

export function EventIcon({ action }: { action: Action }) {
  const { icon, tone } = EVENTS[action]
  const Icon = ICONS[icon]
  return <Icon size={16} className={cx('shrink-0', tone ? COLORS[tone] : 'text-ink-3')} aria-hidden="true" />
}
