import type { ServerTransfer } from '#contract/servers/transfers.ts'
import type { PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { DAY_MS, exactTime, relativeTime, useNow } from '#web/lib/time.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

interface TransferDetailsProps {
  transfer: ServerTransfer
  /** The other party. */
  user: PublicUser
  message: typeof m.transfers_waiting
}

export function TransferDetails({ transfer, user, message }: TransferDetailsProps) {
  const { created_at, expires_at } = transfer
  const now = useNow()
  return (
    <>
      <p className="mt-1 flex items-center gap-1.5 text-13 text-ink-2">
        <Avatar user={user.discord} size={24} />
        <span className="min-w-0 break-words">
          <RichText
            message={message}
            tags={{ user: () => <strong className="font-semibold text-ink-1">{user.discord.username}</strong> }}
          />
        </span>
      </p>
      <p className="mt-1 text-12 text-ink-3">
        <RichText
          message={Date.parse(expires_at) <= now ? m.transfers_expired : m.transfers_expires}
          tags={{
            created: () => <TimeAgo at={created_at} />,
            expiry: () => (
              <time dateTime={expires_at} data-tip={exactTime(expires_at)} className="rounded-6 tabular-nums">
                {expiryText(expires_at, now)}
              </time>
            ),
          }}
        />
      </p>
    </>
  )
}

/** Rounds to whole days: a new transfer expires in 7 days, not 6. */
function expiryText(at: string, now: number): string {
  const days = Math.round((Date.parse(at) - now) / DAY_MS)
  return days > 1 ? m.transfers_in_days({ days }) : relativeTime(at, now)
}
