import { ArrowRightLeft, BadgeCheck, EyeOff, Megaphone, MegaphoneOff } from 'lucide-react'
import type { Server } from '#contract/servers.ts'
import { statusOf } from './status.ts'
import { useOfferOf } from './use-offer-of.ts'

/** What is special about a server, beside its name. Where its status already says that it is not listed, that is not said twice. */
export function Flags({ server }: { server: Server }) {
  return (
    <>
      {server.verified && <Verified />}
      {server.promoted && <Promotion isOff={server.dormant.includes('promoted')} />}
      {!server.visible && statusOf(server).key !== 'unlisted' && (
        <EyeOff size={14} className="shrink-0 text-ink-3" role="img" aria-label="Hidden from the list" data-tip="Hidden from the list" />
      )}
    </>
  )
}

/** The list vouches for it. */
function Verified() {
  return <BadgeCheck size={14} className="relative shrink-0 text-ok" role="img" aria-label="Verified" data-tip="Verified" />
}

function Promotion({ isOff }: { isOff: boolean }) {
  const text = isOff ? 'Promotion is off: the benefit is missing' : 'Promoted'
  const Icon = isOff ? MegaphoneOff : Megaphone
  return <Icon size={14} className={isOff ? 'shrink-0 text-ink-3' : 'shrink-0 text-info'} role="img" aria-label={text} data-tip={text} />
}

/** One's own server that somebody else may accept at any moment. */
export function OfferFlag({ server }: { server: Server }) {
  const offer = useOfferOf(server.public_id)
  if (!offer) return null
  const text = `On offer to ${offer.to_user.discord.username}`
  return <ArrowRightLeft size={14} className="shrink-0 text-info" role="img" aria-label={text} data-tip={text} />
}
