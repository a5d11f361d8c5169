import { describe, expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/events/activity.ts'
import type { Action } from '#contract/events/events.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import type { GivenManagement, PublicUser, ReceivedManagement } from '#contract/users/users.ts'
import type { AccountChange } from './account-changes.ts'
import { toastTextOf } from './account-toasts.ts'

const at = '2026-01-01T00:00:00.000Z'
const user = (id: string): PublicUser => ({ id, discord: { discord_id: id, username: id, avatar: null } })
const transfer: ServerTransfer = {
  id: '1',
  token: { public_id: 'city', name: 'City', icon_url: null },
  from_user: user('ann'),
  to_user: user('ben'),
  created_at: at,
  expires_at: at,
  obstacles: [],
  effects: [],
  issues: [],
}
const received: ReceivedManagement = { id: '1', owner_id: 'ann', owner: user('ann'), permissions: ['EDIT_DETAILS'], created_at: at }
const given: GivenManagement = { id: '1', manager_id: 'ben', manager: user('ben'), permissions: ['EDIT_DETAILS'], created_at: at }

const entry = (action: Action, actor: string | null = null): ActivityEntry => ({
  id: '1',
  at,
  action,
  as: 'self',
  actor: actor === null ? null : user(actor),
  owner: user('ann'),
  server: { public_id: 'city', name: 'City' },
  user: user('ben'),
  before: null,
  api_key: null,
  after: null,
  group_names: {},
})

type Row = [activity: ActivityEntry[], title: string | undefined]

const titleOf = (change: AccountChange, activity: ActivityEntry[]) => toastTextOf(change, activity)?.title

describe('without activity', () => {
  test('the toast of a transfer request has the ID of the transfer', () => {
    expect(toastTextOf({ kind: 'transfer requested', transfer }, [])).toEqual({
      title: 'ann wants to transfer City to you',
      description: 'Accept or decline it in your inbox.',
      id: '1',
    })
  })

  test('the toast of a new grant lists its permissions', () => {
    expect(toastTextOf({ kind: 'grant received', grant: received }, [])).toEqual({
      title: 'You now manage ann’s servers',
      description: 'Permissions: Edit details.',
    })
  })
})

test.each<Row>([
  [[entry('TRANSFER_ACCEPTED')], 'ben accepted City'],
  [[entry('TRANSFER_DECLINED')], 'ben declined City'],
  [[entry('TRANSFER_LAPSED')], 'The transfer of City expired'],
  [[entry('TRANSFER_CANCELLED')], undefined],
  [[{ ...entry('TRANSFER_CANCELLED'), as: 'system' }], 'The transfer of City to ben ended'],
  [[entry('SERVER_DELETED'), entry('TRANSFER_ACCEPTED')], undefined],
  [[{ ...entry('TRANSFER_ACCEPTED'), server: { public_id: 'other', name: 'City' } }], undefined],
  [[], undefined],
])('an outgoing transfer that ended %#', (activity, title) => {
  expect(titleOf({ kind: 'transfer accepted', transfer }, activity)).toBe(title)
  expect(titleOf({ kind: 'transfer ended', transfer }, activity)).toBe(title)
})

test.each<Row>([
  [[entry('TRANSFER_CANCELLED', 'ann')], 'ann cancelled the transfer of City'],
  [[entry('TRANSFER_CANCELLED')], 'ann’s transfer of City ended'],
  [[entry('TRANSFER_LAPSED')], 'ann’s transfer of City expired'],
  [[entry('TRANSFER_DECLINED', 'ben')], undefined],
  [[], undefined],
])('an incoming transfer that ended %#', (activity, title) =>
  expect(titleOf({ kind: 'transfer withdrawn', transfer }, activity)).toBe(title),
)

test.each<Row>([
  [[entry('MANAGER_REVOKED')], 'You no longer manage ann’s servers'],
  [[entry('MANAGER_REFUSED'), entry('MANAGER_REVOKED')], undefined],
  [[{ ...entry('MANAGER_REVOKED'), owner: user('cleo') }], undefined],
  [[{ ...entry('MANAGER_REVOKED'), as: 'system', owner: null }], 'You no longer manage ann’s servers'],
  [[], undefined],
])('a received grant that ended %#', (activity, title) => expect(titleOf({ kind: 'grant ended', grant: received }, activity)).toBe(title))

test.each<Row>([
  [[entry('MANAGER_REFUSED')], 'ben no longer manages your servers'],
  [[entry('MANAGER_REVOKED')], undefined],
  [[{ ...entry('MANAGER_REFUSED'), as: 'system', user: null }], 'ben no longer manages your servers'],
  [[], undefined],
])('a manager who left %#', (activity, title) => expect(titleOf({ kind: 'manager left', grant: given }, activity)).toBe(title))
