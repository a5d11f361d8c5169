import { describe, expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/activity.ts'
import type { Action } from '#contract/events.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import type { GivenManagement, PublicUser, ReceivedManagement } from '#contract/users.ts'
import { type AccountChange, toastTextOf } from './account-changes.ts'

const at = '2026-01-01T00:00:00.000Z'
const person = (id: string): PublicUser => ({ id, discord: { discord_id: id, username: id, avatar: null } })
const transfer: ServerTransfer = {
  id: '1',
  token: { public_id: 'city', name: 'City' },
  from_user: person('ann'),
  to_user: person('ben'),
  created_at: at,
  expires_at: at,
  obstacles: [],
  effects: [],
  issues: [],
}
const management: ReceivedManagement = { id: '1', owner_id: 'ann', owner: person('ann'), permissions: ['EDIT_DETAILS'], created_at: at }
const given: GivenManagement = { id: '1', manager_id: 'ben', manager: person('ben'), permissions: ['EDIT_DETAILS'], created_at: at }

/** An entry about all three of them, done by this person. */
const entry = (action: Action, actor: string | null = null): ActivityEntry => ({
  id: '1',
  at,
  action,
  as: 'self',
  actor: actor === null ? null : person(actor),
  owner: person('ann'),
  server: { public_id: 'city', name: 'City' },
  user: person('ben'),
  before: null,
  after: null,
})

type Row = [happened: ActivityEntry[], title: string | undefined]

const titleOf = (news: AccountChange, happened: ActivityEntry[]) => toastTextOf(news, happened)?.title

describe('what is known by itself', () => {
  test('an offer can be taken back under its id', () => {
    expect(toastTextOf({ kind: 'offered', transfer }, [])).toEqual({
      title: 'ann offers you City',
      description: 'You find the offer in your list of servers.',
      id: '1',
    })
  })

  test('a management says what one may do', () => {
    expect(toastTextOf({ kind: 'management given', management }, [])).toEqual({
      title: 'You now manage ann’s servers',
      description: 'Edit details.',
    })
  })
})

test.each<Row>([
  [[entry('TRANSFER_ACCEPTED')], 'ben accepted City'],
  [[entry('TRANSFER_DECLINED')], 'ben declined City'],
  [[entry('TRANSFER_LAPSED')], 'Your offer of City has lapsed'],
  [[entry('TRANSFER_CANCELLED')], undefined],
  [[{ ...entry('TRANSFER_CANCELLED'), as: 'system' }], 'Your offer of City to ben has ended'],
  [[entry('SERVER_DELETED'), entry('TRANSFER_ACCEPTED')], undefined],
  [[{ ...entry('TRANSFER_ACCEPTED'), server: { public_id: 'other', name: 'City' } }], undefined],
  [[], undefined],
])('an offer of mine that is gone %#', (happened, title) => {
  expect(titleOf({ kind: 'offer accepted', transfer }, happened)).toBe(title)
  expect(titleOf({ kind: 'offer over', transfer }, happened)).toBe(title)
})

test.each<Row>([
  [[entry('TRANSFER_CANCELLED', 'ann')], 'ann took back the offer of City'],
  [[entry('TRANSFER_CANCELLED')], 'ann’s offer of City has ended'],
  [[entry('TRANSFER_LAPSED')], 'ann’s offer of City has lapsed'],
  [[entry('TRANSFER_DECLINED', 'ben')], undefined],
  [[], undefined],
])('an offer to me that is gone %#', (happened, title) => expect(titleOf({ kind: 'offer withdrawn', transfer }, happened)).toBe(title))

test.each<Row>([
  [[entry('MANAGER_REVOKED')], 'You no longer manage ann’s servers'],
  [[entry('MANAGER_REFUSED'), entry('MANAGER_REVOKED')], undefined],
  [[{ ...entry('MANAGER_REVOKED'), owner: person('cleo') }], undefined],
  [[{ ...entry('MANAGER_REVOKED'), as: 'system', owner: null }], 'You no longer manage ann’s servers'],
  [[], undefined],
])('a management of mine that is over %#', (happened, title) =>
  expect(titleOf({ kind: 'management over', management }, happened)).toBe(title),
)

test.each<Row>([
  [[entry('MANAGER_REFUSED')], 'ben no longer manages your servers'],
  [[entry('MANAGER_REVOKED')], undefined],
  [[{ ...entry('MANAGER_REFUSED'), as: 'system', user: null }], 'ben no longer manages your servers'],
  [[], undefined],
])('a manager of mine who is gone %#', (happened, title) => expect(titleOf({ kind: 'manager over', given }, happened)).toBe(title))
