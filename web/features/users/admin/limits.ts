/** The limits of a user. */
import type { Allowance } from '#contract/benefits/benefits.ts'
import { m } from '#messages'

export const LIMITS = [
  { key: 'max_masterlist_tokens', label: m.nav_servers(), kind: 'servers' },
  { key: 'max_managers', label: m.nav_managers(), kind: 'managers' },
  { key: 'max_masterlist_groups', label: m.users_groups(), kind: 'groups' },
] as const

export type LimitKey = (typeof LIMITS)[number]['key']
export const MAX_LIMIT = 1000

/** How many of each the user has. The response has no group count. */
export function limitUsage(user: {
  readonly masterListTokens: readonly unknown[]
  readonly gived_managements: readonly unknown[]
}): Record<keyof Allowance, number | undefined> {
  return { servers: user.masterListTokens.length, managers: user.gived_managements.length, groups: undefined }
}
