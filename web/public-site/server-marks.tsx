/** The marks beside the name of a server. */
import { BadgeCheck, Lock, Megaphone } from 'lucide-react'
import type { PublicRow } from '#contract/public-site/public-site.ts'
import { m } from '#messages'

type Marked = Pick<PublicRow, 'isVerified' | 'isPromoted' | 'isPassworded'>

export function ServerMarks({ server, size = 14 }: { server: Marked; size?: number }) {
  return (
    <>
      {server.isVerified && <BadgeCheck size={size} className="shrink-0 text-ok" role="img" aria-label={m.servers_flag_verified()} />}
      {server.isPromoted && <Megaphone size={size} className="shrink-0 text-info" role="img" aria-label={m.servers_flag_promoted()} />}
      {server.isPassworded && <Lock size={size} className="shrink-0 text-ink-3" role="img" aria-label={m.public_passworded()} />}
    </>
  )
}
