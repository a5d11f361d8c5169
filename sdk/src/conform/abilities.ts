/** What an announcer may lack. */
import { dualStackName } from './dual-stack.ts'
import type { Scenario } from './scenario.ts'

export const ABILITIES = {
  endpoint: 'announces MUSTER_HOST as host, and MUSTER_PROBE as probe',
  families: 'announces over each family of MUSTER_FAMILIES',
  tcp: 'answers TCP probes',
  signatures: 'answers only TCP probes that the list signed',
  udp: 'answers UDP probes',
} as const

export type Ability = keyof typeof ABILITIES

/** Why scenarios are skipped: what the announcer or this machine lacks. @param without what the announcer lacks */
export async function skipReasons(without: readonly Ability[]): Promise<(scenario: Scenario) => string | undefined> {
  const name = await dualStackName()
  return ({ needs = [], families }) => {
    const missing = needs.find((ability) => without.includes(ability))
    if (missing !== undefined) return `without ${missing}`
    if (families !== undefined && name === undefined) return 'no name of this machine has both 127.0.0.1 and ::1'
    return undefined
  }
}
