import type { ReactNode } from 'react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { TierName } from '#web/features/users/tier-name.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { formatTime, useTimeZone } from '#web/lib/time.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** Who the account is. Read-only: Discord is the source. */
export function ProfileCard({ me }: { me: Me }) {
  const { username, discord_id } = me.discord
  useTimeZone()
  return (
    <section aria-labelledby="profile" className="card">
      <div className="flex items-center gap-4 p-5">
        <Avatar user={me.discord} size={48} />
        <div className="min-w-0">
          <h2 id="profile" className="text-20 font-semibold tracking-[-0.01em] [overflow-wrap:anywhere]">
            {username}
          </h2>
          <p className="text-13 text-ink-2">{me.active_tier === null ? m.tiers_none() : <TierName tier={me.active_tier} />}</p>
        </div>
      </div>
      <dl className="divide-y divide-line border-t border-line text-13">
        <Fact label={m.common_discord_id()}>
          <Id value={discord_id} copyLabel={m.ui_copy_what({ what: m.common_discord_id() })} />
        </Fact>
        <Fact label={m.users_user_id()}>
          <Id value={me.id} copyLabel={m.ui_copy_what({ what: m.users_copy_user_id() })} />
        </Fact>
        <Fact label={m.users_member_since()}>
          <span className="flex min-h-7 flex-wrap items-center gap-x-2">
            {formatTime(me.created_at, 'longDate')}
            <span className="text-ink-3">
              <TimeAgo at={me.created_at} />
            </span>
          </span>
        </Fact>
      </dl>
      <p className="border-t border-line px-5 py-4 text-13 text-pretty text-ink-2">{m.account_profile_source()}</p>
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-x-5 px-5 py-2.5 sm:flex-row sm:items-center">
      <dt className="w-32 shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

function Id({ value, copyLabel }: { value: string; copyLabel: string }) {
  return (
    <span className="flex min-h-7 items-center gap-1.5">
      <span className="min-w-0 font-mono break-all">{value}</span>
      <CopyButton text={value} label={copyLabel} />
    </span>
  )
}

interface Limit {
  readonly label: string
  /** Undefined while loading. */
  readonly used: number | undefined
  readonly max: number
}

/** How much of each limit the account uses. */
export function LimitsUsedCard({ limits }: { limits: readonly Limit[] }) {
  return (
    <section aria-labelledby="limits" className="card p-5">
      <h2 id="limits" className="font-medium">
        {m.account_limits()}
      </h2>
      <dl className="mt-4 grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-3">
        {limits.map((limit) => (
          <LimitMeter key={limit.label} {...limit} />
        ))}
      </dl>
    </section>
  )
}

/** Users may have more than a lowered limit allows. */
function LimitMeter({ label, used, max }: Limit) {
  const isOver = used !== undefined && used > max
  return (
    <div className="min-w-0">
      <dt className="text-13 text-ink-2">{label}</dt>
      <dd className="mt-1">
        <span className={isOver ? 'text-warn tabular-nums' : 'text-ink-3 tabular-nums'}>
          {used === undefined ? (
            m.users_limit_max({ max: formatNumber(max) })
          ) : (
            <RichText
              message={isOver ? m.users_limit_used_over : m.users_limit_used}
              inputs={{ used: formatNumber(used), max: formatNumber(max) }}
              tags={{ b: (text) => <span className="font-medium text-ink-1">{text}</span> }}
            />
          )}
        </span>
        <meter
          aria-label={m.users_limit_meter({ limit: label })}
          className={isOver ? 'players-meter mt-1.5 w-full text-warn' : 'players-meter mt-1.5 w-full'}
          min={0}
          max={Math.max(max, 1)}
          value={Math.min(used ?? 0, Math.max(max, 1))}
        />
      </dd>
    </div>
  )
}
