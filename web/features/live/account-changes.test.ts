import { describe, expect, test } from 'vitest'
import type { Server, ServerList } from '#contract/servers/servers.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import type { GivenManagement, Me, PublicUser, ReceivedManagement } from '#contract/users/users.ts'
import type { AccountSnapshot } from './account-updates.ts'
import { changesBetween } from './account-changes.ts'

const user = (id: string): PublicUser => ({ id, discord: { discord_id: id, username: id, avatar: null } })
const at = '2026-01-01T00:00:00.000Z'

const transfer = (id: string, token: string): ServerTransfer => ({
  id,
  token: { public_id: token, name: token, icon_url: null },
  from_user: user('from'),
  to_user: user('to'),
  created_at: at,
  expires_at: at,
  obstacles: [],
  effects: [],
  issues: [],
})
const received = (id: string): ReceivedManagement => ({
  id,
  owner_id: 'o',
  owner: user('o'),
  permissions: ['EDIT_DETAILS'],
  created_at: at,
})
const owned = (...ids: string[]) => ids.map((public_id) => ({ public_id }) as Server)
const list = (fields: Partial<ServerList>): ServerList => ({
  owned: [],
  incoming_transfers: [],
  pinned: [],
  outgoing_transfers: [],
  management: [],
  ...fields,
})
const me = (recieved_managements: ReceivedManagement[], more: Partial<Me> = {}) =>
  ({ banned: false, recieved_managements, gived_managements: [], ...more }) as unknown as Me

const kinds = (previous: Partial<AccountSnapshot>, current: Partial<AccountSnapshot>) =>
  changesBetween({ me: undefined, list: undefined, ...previous }, { me: undefined, list: undefined, ...current }).map((change) => [
    change.kind,
    'transfer' in change ? change.transfer.id : change.grant.id,
  ])

describe('transfers', () => {
  test('only a new incoming transfer is a request', () => {
    expect(
      kinds(
        { list: list({ incoming_transfers: [transfer('1', 'a')] }) },
        { list: list({ incoming_transfers: [transfer('1', 'a'), transfer('2', 'b')] }) },
      ),
    ).toEqual([['transfer requested', '2']])
  })

  test('an outgoing transfer that ended together with the ownership was accepted', () => {
    expect(kinds({ list: list({ owned: owned('a'), outgoing_transfers: [transfer('1', 'a')] }) }, { list: list({}) })).toEqual([
      ['transfer accepted', '1'],
    ])
  })

  test('an outgoing transfer that ended while the server stayed was not accepted', () => {
    expect(
      kinds({ list: list({ owned: owned('a'), outgoing_transfers: [transfer('1', 'a')] }) }, { list: list({ owned: owned('a') }) }),
    ).toEqual([['transfer ended', '1']])
  })

  test('an incoming transfer that ended was withdrawn, unless the user now owns the server', () => {
    const previous = { list: list({ incoming_transfers: [transfer('1', 'a')] }) }
    expect(kinds(previous, { list: list({}) })).toEqual([['transfer withdrawn', '1']])
    expect(kinds(previous, { list: list({ owned: owned('a') }) })).toEqual([])
  })
})

describe('grants', () => {
  test('a new grant and an ended grant', () => {
    expect(kinds({ me: me([received('1')]) }, { me: me([received('2')]) })).toEqual([
      ['grant received', '2'],
      ['grant ended', '1'],
    ])
  })

  test('changed permissions are not reported', () => {
    expect(kinds({ me: me([received('1')]) }, { me: me([{ ...received('1'), permissions: ['RESET_ADDRESS'] }]) })).toEqual([])
  })

  test('a manager who left', () => {
    const given: GivenManagement = { id: '1', manager_id: 'm', manager: user('m'), permissions: ['EDIT_DETAILS'], created_at: at }
    expect(kinds({ me: me([], { gived_managements: [given] }) }, { me: me([]) })).toEqual([['manager left', '1']])
  })

  test('a ban hides all other changes', () => {
    expect(kinds({ me: me([received('1')]) }, { me: me([], { banned: true }) })).toEqual([])
  })
})

test('there are no changes without a previous snapshot', () => {
  expect(kinds({}, { me: me([received('1')]), list: list({ incoming_transfers: [transfer('1', 'a')] }) })).toEqual([])
})
