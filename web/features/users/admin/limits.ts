/** The limits of a person as they are typed: a number, or nothing for what the tier allows. */
import type { Allowance } from '#contract/benefits.ts'
import type { AdminUser, Limits } from '#contract/users-admin.ts'

export const LIMITS = [
  { key: 'max_masterlist_tokens', label: 'Servers', of: 'servers' },
  { key: 'max_managers', label: 'Managers', of: 'managers' },
  { key: 'max_masterlist_groups', label: 'Groups', of: 'groups' },
] as const

export type LimitKey = (typeof LIMITS)[number]['key']
export type LimitInputs = Record<LimitKey, string>

const MAX = 1000

/** How many somebody has of each; of groups it is not known here. */
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

/** What is wrong with what was typed, in the words in which the backend would refuse it. */
export function limitError(label: string, typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (!/^\d+$/.test(text)) return `The maximum number of ${label.toLowerCase()} must be a whole number, or empty for what the tier allows.`
  return Number(text) > MAX ? `The maximum number of ${label.toLowerCase()} must be 0 to ${MAX}.` : undefined
}

/** What to send: only the limits that differ from the saved ones, so that what another administrator set meanwhile stays. */
export function changedLimits(typed: LimitInputs, saved: LimitInputs): Limits | undefined {
  if (LIMITS.some(({ key, label }) => limitError(label, typed[key]) !== undefined)) return undefined
  const differing = LIMITS.filter(({ key }) => typed[key].trim() !== saved[key])
  return Object.fromEntries(differing.map(({ key }) => [key, typed[key].trim() === '' ? null : Number(typed[key])]))
}
