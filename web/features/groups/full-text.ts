import { TIER_IDS, TIERS } from '#contract/benefits.ts'

/** `1 group`, `2 groups`. */
export function groupsOf(count: number): string {
  return count === 1 ? '1 group' : `${count} groups`
}

/** Why somebody who has the benefit can have no further group. @param most how many there can be. @param count how many there are: more than that after a tier has ended. */
export function fullText(most: number, count = most): string {
  if (count > most) return overText(most, count)
  if (most === 0) return 'Your limit is 0 groups. A tier with groups raises it.'
  const all = `You have ${most === 1 ? 'the one group' : `all ${most} groups`} that you can have.`
  return TIER_IDS.some((id) => TIERS[id].groups > most) ? `${all} A higher tier allows more.` : all
}

function overText(most: number, count: number): string {
  const stay = count === 1 ? 'The one you have stays.' : 'The ones you have stay.'
  if (most === 0) return `You have ${groupsOf(count)}; your limit is 0. ${stay}`
  return `You have ${groupsOf(count)}; your tier allows ${most}. ${stay} Delete ${count - most + 1} to make another.`
}
