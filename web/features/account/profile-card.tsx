import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { TierName } from '#web/features/users/tier-name.tsx'
import { formatTime, useTimeZone } from '#web/lib/time.ts'
import { Card } from '#web/ui/card.tsx'
import { CopiedFact, Fact, Facts } from '#web/ui/table/side-panel.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** Who the account is. Read-only: Discord is the source. */
export function ProfileCard({ me }: { me: Me }) {
  const { username, discord_id } = me.discord
  useTimeZone()
  return (
    <Card
      title={
        <span className="flex items-center gap-4 text-20 [overflow-wrap:anywhere]">
          <Avatar user={me.discord} size={48} />
          {username}
        </span>
      }
      description={me.active_tier === null ? m.tiers_none() : <TierName tier={me.active_tier} />}
    >
      <Facts>
        <CopiedFact label={m.common_discord_id()} text={discord_id} copyNoun={m.common_discord_id()} />
        <CopiedFact label={m.users_user_id()} text={me.id} copyNoun={m.users_copy_user_id()} />
        <Fact label={m.users_member_since()}>
          {formatTime(me.created_at, 'longDate')}{' '}
          <span className="text-ink-3">
            <TimeAgo at={me.created_at} />
          </span>
        </Fact>
      </Facts>
      <p className="mt-4 text-13 text-pretty text-ink-2">{m.account_profile_source()}</p>
    </Card>
  )
}
