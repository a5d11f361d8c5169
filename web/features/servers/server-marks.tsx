/** The marks of a server: its icon, its flags and its status. */
import {
  ArrowRightLeft,
  BadgeCheck,
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  EyeOff,
  type LucideIcon,
  Megaphone,
  MegaphoneOff,
} from 'lucide-react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { durationText, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { visibleAppearance } from './listing/visible-appearance.ts'
import { useOutgoingTransfer } from './servers.api.ts'
import { type StatusKey, statusOf, type Tone } from './status.ts'

/** The icon that players see. */
export function ServerIcon({ server, isTiny, className = 'size-9' }: { server: Server; isTiny?: boolean; className?: string }) {
  const { iconUrl } = visibleAppearance(server)
  return <ImageTile id={server.public_id} name={server.name} url={iconUrl} isTiny={isTiny} className={className} />
}

/** Small, with the status on its corner. */
export function ServerStatusIcon({ server }: { server: Server }) {
  const { key, tone, label } = statusOf(server)
  const Icon = ICONS[key]
  return (
    <span className="relative flex shrink-0">
      <ServerIcon server={server} isTiny className="size-5" />
      <Icon
        size={12}
        strokeWidth={3}
        aria-hidden="true"
        className={cx('absolute -right-1 -bottom-1 rounded-full bg-surface-1', COLOURS[tone])}
      />
      <span className="sr-only">{label}</span>
    </span>
  )
}

/** Icons beside the name of a server. The hidden flag is left out if the status already says “not listed”. */
export function Flags({ server, size = 14 }: { server: Server; size?: number }) {
  const isInactive = server.dormant.includes('promoted')
  return (
    <>
      {server.verified && <Flag size={size} icon={BadgeCheck} text={m.servers_flag_verified()} className="relative text-ok" />}
      {server.promoted && isInactive && (
        <Flag size={size} icon={MegaphoneOff} text={m.servers_flag_promotion_off()} className="text-ink-3" />
      )}
      {server.promoted && !isInactive && <Flag size={size} icon={Megaphone} text={m.servers_flag_promoted()} className="text-info" />}
      {!server.visible && statusOf(server).key !== 'unlisted' && (
        <Flag size={size} icon={EyeOff} text={m.servers_flag_hidden()} className="text-ink-3" />
      )}
    </>
  )
}

export function TransferFlag({ server }: { server: Server }) {
  const transfer = useOutgoingTransfer(server.public_id)
  const user = transfer?.to_user.discord.username
  return user !== undefined && <Flag icon={ArrowRightLeft} text={m.servers_flag_transfer({ user })} className="text-info" />
}

interface FlagProps {
  icon: LucideIcon
  text: string
  className: string
  size?: number
}

function Flag({ icon: Icon, text, className, size = 14 }: FlagProps) {
  return <Icon size={size} className={cx('shrink-0', className)} role="img" aria-label={text} data-tip={text} />
}

const ICONS: Record<StatusKey, LucideIcon> = {
  online: CircleCheck,
  unlisted: EyeOff,
  offline: CircleX,
  never_seen: CircleDashed,
  banned: Ban,
}

const COLOURS: Record<Tone, string> = { ok: 'text-ok', warn: 'text-warn', danger: 'text-danger', neutral: 'text-ink-3' }

export function StatusPill({ server, className }: { server: Server; className?: string }) {
  const { key, tone, label, reason, since } = statusOf(server)
  const now = useNow()
  return (
    <Pill tone={tone} icon={ICONS[key]} data-tip={reason || undefined} data-status={key} className={className}>
      {label}
      {since !== null && <span className="font-normal tabular-nums">{durationText(since, now)}</span>}
    </Pill>
  )
}
