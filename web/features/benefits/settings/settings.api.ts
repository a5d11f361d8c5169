/** The settings of benefits: one's own, or those of somebody else for an administrator. */
import { queryOptions } from '@tanstack/react-query'
import type { SettingsKey } from '#contract/benefits.ts'
import { call } from '#web/lib/call.ts'

/** Whose settings: undefined is the signed-in person, else the id of the user that an administrator looks after. */
export type Whose = string | undefined

export const settingsOptions = (key: SettingsKey, whose: Whose) =>
  queryOptions({
    queryKey: ['benefits', 'settings', key, whose ?? 'own'],
    queryFn: ({ signal }) =>
      whose === undefined
        ? call('GET /api/users/benefits/{key}/settings', { params: { key }, signal })
        : call('GET /api/admin/users/{id}/benefits/{key}/settings', { params: { id: whose, key }, signal }),
  })
