/** All keys of queries about benefits begin with `benefits`: an event invalidates them. */
import { queryOptions } from '@tanstack/react-query'
import type { SettingsKey } from '#contract/benefits.ts'
import { call } from '#web/lib/call.ts'

export const benefitsOptions = queryOptions({
  queryKey: ['benefits', 'overview'],
  queryFn: ({ signal }) => call('GET /api/users/benefits', { signal }),
})

export const adminBenefitsOptions = (id: string) =>
  queryOptions({
    queryKey: ['benefits', 'admin', id, 'overview'],
    queryFn: ({ signal }) => call('GET /api/admin/users/{id}/benefits', { params: { id }, signal }),
  })

/** Whose settings: undefined is the signed-in person, else the id of the user that an administrator looks after. */
export type OwnerId = string | undefined

export const settingsOptions = (key: SettingsKey, whose: OwnerId) =>
  queryOptions({
    queryKey: ['benefits', 'settings', key, whose ?? 'own'],
    queryFn: ({ signal }) =>
      whose === undefined
        ? call('GET /api/users/benefits/{key}/settings', { params: { key }, signal })
        : call('GET /api/admin/users/{id}/benefits/{key}/settings', { params: { id: whose, key }, signal }),
  })
