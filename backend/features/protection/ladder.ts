/** How far an issue is on its rule's ladder. */
import type { Consequence } from '#contract/protection.ts'
import type { Rule, Step } from './finding.ts'
import { strengthOf } from './standing.ts'

/** The next step of a rule's ladder from a consequence, and how long after the one before; undefined on the last one. */
export function stepAfter(consequence: Consequence, { ladder }: Rule): { readonly step: Step; readonly waitMs: number } | undefined {
  const at = ladder.findIndex((one) => strengthOf(one.consequence) > strengthOf(consequence))
  const step = ladder[at]
  return step && { step, waitMs: step.afterMs - (ladder[at - 1]?.afterMs ?? 0) }
}
