import { expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/events/activity.ts'
import type { Action } from '#contract/events/events.ts'
import type { PublicUser } from '#contract/users/users.ts'
import { toastOf } from './account-toasts.ts'

const user = (id: string): PublicUser => ({ id, discord: { discord_id: id, username: id, avatar: null } })

/** Of Ann, about Ben. */
const entry = (action: Action, fields: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: '1',
  at: '2026-01-01T00:00:00.000Z',
  action,
  as: 'self',
  actor: null,
  owner: user('ann'),
  server: { public_id: 'city', name: 'City' },
  user: user('ben'),
  before: null,
  api_key: null,
  after: null,
  group_names: {},
  ...fields,
})

const bySystem = { as: 'system' } as const
const byAdministrator = { as: 'administrator' } as const
const by = (id: string) => ({ actor: user(id) })

test.each<[entry: ActivityEntry, title: string | undefined]>([
  [entry('TRANSFER_ACCEPTED', by('ben')), 'ben accepted City'],
  [entry('TRANSFER_DECLINED', by('ben')), 'ben declined City'],
  [entry('TRANSFER_LAPSED', bySystem), 'The transfer of City expired'],
  [entry('TRANSFER_CANCELLED', by('ann')), undefined],
  [entry('TRANSFER_CANCELLED', byAdministrator), undefined],
  [entry('TRANSFER_CANCELLED', bySystem), 'The transfer of City to ben ended'],
  [entry('TRANSFER_OFFERED', by('ann')), undefined],
  [entry('MANAGER_GRANTED', by('ann')), undefined],
  [entry('MANAGER_REVOKED', by('ann')), undefined],
  [entry('MANAGER_REFUSED', by('ben')), 'ben no longer manages your servers'],
  [entry('MANAGER_REFUSED', { ...bySystem, user: null }), 'an erased account no longer manages your servers'],
  [entry('ISSUE_OPENED', bySystem), 'New issue on City'],
  [entry('ISSUE_ACKNOWLEDGED', by('ann')), undefined],
  [entry('ISSUE_RESOLVED', bySystem), 'An issue on City was resolved'],
  [entry('ISSUE_RESOLVED', byAdministrator), 'An administrator resolved an issue on City'],
  [entry('ISSUE_DISMISSED', bySystem), undefined],
  [entry('SERVER_DELETED', byAdministrator), undefined],
])('the owner reads %#', (activity, title) => expect(toastOf(activity, 'ann')?.title).toBe(title))

test.each<[entry: ActivityEntry, title: string | undefined]>([
  [entry('TRANSFER_CANCELLED', by('ann')), 'ann cancelled the transfer of City'],
  [entry('TRANSFER_CANCELLED', bySystem), 'ann’s transfer of City ended'],
  [entry('TRANSFER_LAPSED', bySystem), 'ann’s transfer of City expired'],
  [entry('TRANSFER_ACCEPTED', by('ben')), undefined],
  [entry('TRANSFER_DECLINED', by('ben')), undefined],
  [entry('MANAGER_CHANGED', by('ann')), undefined],
  [entry('MANAGER_REVOKED', by('ann')), 'You no longer manage ann’s servers'],
  [entry('MANAGER_REVOKED', { ...bySystem, owner: null }), 'You no longer manage an erased account’s servers'],
  [entry('MANAGER_REFUSED', by('ben')), undefined],
  [entry('ISSUE_OPENED', bySystem), undefined],
])('the recipient or manager reads %#', (activity, title) => expect(toastOf(activity, 'ben')?.title).toBe(title))

test('the toast of a new grant lists its permissions', () => {
  expect(toastOf(entry('MANAGER_GRANTED', { ...by('ann'), after: { permissions: ['EDIT_DETAILS'] } }), 'ben')).toEqual({
    title: 'You now manage ann’s servers',
    description: 'Permissions: Edit details.',
  })
})
