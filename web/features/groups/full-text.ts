/** Why somebody who has the benefit can have no further group. @param most how many there can be. */
export function fullText(most: number): string {
  if (most === 0) return 'Your limit is 0 groups. A tier with groups raises it.'
  return `You have ${most === 1 ? 'the one group' : `all ${most} groups`} that you can have. A higher tier allows more.`
}
