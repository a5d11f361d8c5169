import { TIER_IDS, TIERS } from '#contract/benefits.ts'

export function groupCount(count: number): string {
  return count === 1 ? '1 group' : `${count} groups`
}

/** Why the user can have no further group. @param count is over the limit after a tier has ended. */
export function limitText(max: number, count = max): string {
  if (count > max) return overLimitText(max, count)
  if (max === 0) return 'Your limit is 0 groups. A tier with groups raises it.'
  const all = `You have ${max === 1 ? 'the one group' : `all ${max} groups`} that you can have.`
  return TIER_IDS.some((id) => TIERS[id].groups > max) ? `${all} A higher tier allows more.` : all
}

function overLimitText(max: number, count: number): string {
  const stay = count === 1 ? 'The one you have stays.' : 'The ones you have stay.'
  if (max === 0) return `You have ${groupCount(count)}; your limit is 0. ${stay}`
  return `You have ${groupCount(count)}; your tier allows ${max}. ${stay} Delete ${count - max + 1} to make another.`
}
