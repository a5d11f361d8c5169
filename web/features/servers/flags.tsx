import { ArrowRightLeft, BadgeCheck, EyeOff, type LucideIcon, Megaphone, MegaphoneOff } from 'lucide-react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { useOutgoingTransfer } from './servers.api.ts'
import { statusOf } from './status.ts'

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
