import { ArrowRightLeft, BadgeCheck, EyeOff, type LucideIcon, Megaphone, MegaphoneOff } from 'lucide-react'
import type { Server } from '#contract/servers.ts'
import { cx } from '#web/ui/class-names.ts'
import { useOutgoingTransfer } from './servers.api.ts'
import { statusOf } from './status.ts'

/** What is special about a server, beside its name. Where its status already says that it is not listed, that is not said twice. */
export function Flags({ server }: { server: Server }) {
  const isOff = server.dormant.includes('promoted')
  return (
    <>
      {server.verified && <Flag icon={BadgeCheck} text="Verified" className="relative text-ok" />}
      {server.promoted && isOff && <Flag icon={MegaphoneOff} text="Promotion is off: the benefit is missing" className="text-ink-3" />}
      {server.promoted && !isOff && <Flag icon={Megaphone} text="Promoted" className="text-info" />}
      {!server.visible && statusOf(server).key !== 'unlisted' && <Flag icon={EyeOff} text="Hidden from the list" className="text-ink-3" />}
    </>
  )
}

export function TransferFlag({ server }: { server: Server }) {
  const offer = useOutgoingTransfer(server.public_id)
  return offer && <Flag icon={ArrowRightLeft} text={`On offer to ${offer.to_user.discord.username}`} className="text-info" />
}

function Flag({ icon: Icon, text, className }: { icon: LucideIcon; text: string; className: string }) {
  return <Icon size={14} className={cx('shrink-0', className)} role="img" aria-label={text} data-tip={text} />
}
