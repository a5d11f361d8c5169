/** All query keys begin with `benefits`, so that one event invalidates them all. */
import { queryOptions } from '@tanstack/react-query'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import { call } from '#web/lib/http/call.ts'

export const benefitsOptions = queryOptions({
  queryKey: ['benefits', 'overview'],
  queryFn: ({ signal }) => call('GET /api/users/benefits', { signal }),
})

export const adminBenefitsOptions = (id: string) =>
  queryOptions({
    queryKey: ['benefits', 'admin', id, 'overview'],
    queryFn: ({ signal }) => call('GET /api/admin/users/{id}/benefits', { params: { id }, signal }),
  })

/** The user whose settings an administrator edits; undefined for your own settings. */
export type OwnerId = string | undefined

export const benefitSettingsOptions = (key: SettingsKey, ownerId: OwnerId) =>
  queryOptions({
    queryKey: ['benefits', 'settings', key, ownerId ?? 'own'],
    queryFn: ({ signal }) =>
      ownerId === undefined
        ? call('GET /api/users/benefits/{key}/settings', { params: { key }, signal })
        : call('GET /api/admin/users/{id}/benefits/{key}/settings', { params: { id: ownerId, key }, signal }),
  })
