import { expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/events/activity.ts'
import type { Action } from '#contract/events/events.ts'
import { newOwnerIn } from './new-owner.ts'

const entry = (action: Action, username: string | null, public_id = 'city') =>
  ({ action, server: { public_id, name: public_id }, user: username === null ? null : { id: username } }) as ActivityEntry

test.each<[state: string, activity: ActivityEntry[], owner: string | undefined]>([
  ['accepted', [entry('SERVER_CHANGED', null), entry('TRANSFER_ACCEPTED', 'ben')], 'ben'],
  ['accepted by a user who has been erased', [entry('TRANSFER_ACCEPTED', null)], undefined],
  ['deleted during a transfer', [entry('SERVER_DELETED', null), entry('TRANSFER_OFFERED', 'ben')], undefined],
  ['received earlier, then deleted', [entry('SERVER_DELETED', null), entry('TRANSFER_ACCEPTED', 'ann')], undefined],
  ['lost, while another server was accepted', [entry('TRANSFER_ACCEPTED', 'ben', 'town')], undefined],
])('the new owner of a server that was %s', (_state, activity, owner) => {
  expect(newOwnerIn(activity, 'city')?.id).toBe(owner)
})
