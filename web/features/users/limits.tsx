/** The limits of a user, and how much of them is used. */
import type { Allowance } from '#contract/benefits/benefits.ts'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/class-names.ts'
import { RichText } from '#web/ui/rich-text.tsx'

export const LIMITS = [
  { key: 'max_masterlist_tokens', label: m.nav_servers(), kind: 'servers' },
  { key: 'max_managers', label: m.nav_managers(), kind: 'managers' },
  { key: 'max_masterlist_groups', label: m.users_groups(), kind: 'groups' },
] as const

export type LimitKey = (typeof LIMITS)[number]['key']

/** How many of each a user has. Undefined is unknown. */
type Usage = Readonly<Record<keyof Allowance, number | undefined>>

/** The response has no group count. */
export function limitUsage(user: { readonly masterListTokens: readonly unknown[]; readonly gived_managements: readonly unknown[] }): Usage {
  return { servers: user.masterListTokens.length, managers: user.gived_managements.length, groups: undefined }
}

interface LimitMetersProps {
  user: Pick<AdminUser, LimitKey> & Partial<Pick<AdminUser, 'own_limits'>>
  used: Usage
}

/** The items of a `dl`, one for each limit. Users may have more than a lowered limit allows. */
export function LimitMeters({ user, used: usage }: LimitMetersProps) {
  return LIMITS.map(({ key, kind, label }) => {
    const used = usage[kind]
    const max = user[key]
    const isOver = used !== undefined && used > max
    const numbers = { used: formatNumber(used ?? 0), max: formatNumber(max) }
    return (
      <div key={key} className="min-w-0">
        <dt className="flex flex-wrap items-baseline justify-between gap-x-2 text-12 wrap-anywhere text-ink-3">
          {label}
          {(user.own_limits?.[key] ?? null) !== null && <span data-tip={m.users_limit_custom_hint()}>{m.users_limit_custom()}</span>}
        </dt>
        <dd className={cx('mt-0.5 text-13 tabular-nums', isOver ? 'text-warn' : 'text-ink-3')}>
          {used === undefined ? (
            m.users_limit_max(numbers)
          ) : (
            <RichText
              message={isOver ? m.users_limit_used_over : m.users_limit_used}
              inputs={numbers}
              tags={{ b: (text) => <span className="font-medium text-ink-1">{text}</span> }}
            />
          )}
          <meter
            aria-label={m.users_limit_meter({ limit: label })}
            className={cx('players-meter mt-1.5 w-full', used === undefined && 'invisible')}
            min={0}
            max={Math.max(max, 1)}
            value={Math.min(used ?? 0, Math.max(max, 1))}
          />
        </dd>
      </div>
    )
  })
}
