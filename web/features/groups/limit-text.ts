import { TIER_IDS, TIERS } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { counted } from '#web/ui/count-text.ts'

/** Why the user can't create another group. @param count can exceed the limit after a tier ends. */
export function limitText(max: number, count = max): string {
  if (count > max) return overLimitText(max, count)
  if (max === 0) return m.groups_limit_zero()
  const groups = m.count_groups(counted(max))
  return TIER_IDS.some((id) => TIERS[id].groups > max) ? m.groups_limit_tier({ groups }) : m.groups_limit_full({ groups })
}

function overLimitText(max: number, count: number): string {
  const groups = m.count_groups(counted(count))
  return max === 0 ? m.groups_limit_over_zero({ groups }) : m.groups_limit_over({ groups, max, count: count - max + 1 })
}
