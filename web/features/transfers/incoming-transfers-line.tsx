import { ArrowRightLeft } from 'lucide-react'
import type { ServerTransfer } from '#contract/transfers.ts'
import { m } from '#messages'
import { counted } from '#web/ui/count-text.ts'
import { NoticeLine } from '#web/ui/notice-line.tsx'

/** Leads to the offers, where the user accepts or declines them. */
export function IncomingTransfersLine({ transfers }: { transfers: readonly ServerTransfer[] }) {
  if (transfers.length === 0) return null
  return (
    <NoticeLine
      to="/settings/transfers"
      icon={<ArrowRightLeft size={16} className="text-accent" aria-hidden="true" />}
      title={m.transfers_requests(counted(transfers.length))}
      details={transfers
        .map(({ token, from_user: from }) => m.transfers_line({ server: token.name, user: from.discord.username }))
        .join(' · ')}
    />
  )
}
