/** The limits of a user as form inputs. An empty input means the tier default. */
import type { Allowance } from '#contract/benefits/benefits.ts'
import type { AdminUser, Limits } from '#contract/users/users-admin.ts'
import { m } from '#messages'

export const LIMITS = [
  { key: 'max_masterlist_tokens', label: m.nav_servers(), kind: 'servers' },
  { key: 'max_managers', label: m.nav_managers(), kind: 'managers' },
  { key: 'max_masterlist_groups', label: m.users_groups(), kind: 'groups' },
] as const

export type LimitKey = (typeof LIMITS)[number]['key']
export type LimitInputs = Record<LimitKey, string>

const MAX = 1000

/** How many of each the user has. The response has no group count. */
export function limitUsage(user: {
  readonly masterListTokens: readonly unknown[]
  readonly gived_managements: readonly unknown[]
}): Record<keyof Allowance, number | undefined> {
  return { servers: user.masterListTokens.length, managers: user.gived_managements.length, groups: undefined }
}

export function toLimitInputs(own: AdminUser['own_limits']): LimitInputs {
  return {
    max_masterlist_tokens: String(own.max_masterlist_tokens ?? ''),
    max_managers: String(own.max_managers ?? ''),
    max_masterlist_groups: String(own.max_masterlist_groups ?? ''),
  }
}

export function limitError(input: string): string | undefined {
  const text = input.trim()
  if (text === '' || (/^\d+$/.test(text) && Number(text) <= MAX)) return undefined
  return m.users_limits_invalid({ max: MAX })
}

/** The limits that differ from the saved ones, so changes by other administrators stay. Undefined if one is invalid. */
export function changedLimits(inputs: LimitInputs, saved: LimitInputs): Limits | undefined {
  if (LIMITS.some(({ key }) => limitError(inputs[key]) !== undefined)) return undefined
  const changed = LIMITS.filter(({ key }) => inputs[key].trim() !== saved[key])
  return Object.fromEntries(changed.map(({ key }) => [key, inputs[key].trim() === '' ? null : Number(inputs[key])]))
}
