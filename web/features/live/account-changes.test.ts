import { describe, expect, test } from 'vitest'
import type { Server, ServerList } from '#contract/servers.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import type { GivenManagement, Me, PublicUser, ReceivedManagement } from '#contract/users.ts'
import type { AccountSnapshot } from './account-updates.ts'
import { changesBetween } from './account-changes.ts'

const person = (id: string): PublicUser => ({ id, discord: { discord_id: id, username: id, avatar: null } })
const at = '2026-01-01T00:00:00.000Z'

const transfer = (id: string, token: string): ServerTransfer => ({
  id,
  token: { public_id: token, name: token },
  from_user: person('from'),
  to_user: person('to'),
  created_at: at,
  expires_at: at,
  obstacles: [],
  effects: [],
  issues: [],
})
const management = (id: string): ReceivedManagement => ({
  id,
  owner_id: 'o',
  owner: person('o'),
  permissions: ['EDIT_DETAILS'],
  created_at: at,
})
const owned = (...ids: string[]) => ids.map((public_id) => ({ public_id }) as Server)
const list = (some: Partial<ServerList>): ServerList => ({
  owned: [],
  incoming_transfers: [],
  outgoing_transfers: [],
  management: [],
  ...some,
})
const me = (recieved_managements: ReceivedManagement[], more: Partial<Me> = {}) =>
  ({ banned: false, recieved_managements, gived_managements: [], ...more }) as unknown as Me

const kinds = (before: Partial<AccountSnapshot>, after: Partial<AccountSnapshot>) =>
  changesBetween({ me: undefined, list: undefined, ...before }, { me: undefined, list: undefined, ...after }).map((news) => [
    news.kind,
    'transfer' in news ? news.transfer.id : 'given' in news ? news.given.id : news.management.id,
  ])

describe('transfers', () => {
  test('a new incoming one is an offer, one that was there is not', () => {
    expect(
      kinds(
        { list: list({ incoming_transfers: [transfer('1', 'a')] }) },
        { list: list({ incoming_transfers: [transfer('1', 'a'), transfer('2', 'b')] }) },
      ),
    ).toEqual([['offered', '2']])
  })

  test('an outgoing one that is gone with its server was accepted', () => {
    expect(kinds({ list: list({ owned: owned('a'), outgoing_transfers: [transfer('1', 'a')] }) }, { list: list({}) })).toEqual([
      ['offer accepted', '1'],
    ])
  })

  test('an outgoing one that is gone while the server stays is over', () => {
    expect(
      kinds({ list: list({ owned: owned('a'), outgoing_transfers: [transfer('1', 'a')] }) }, { list: list({ owned: owned('a') }) }),
    ).toEqual([['offer over', '1']])
  })

  test('an incoming one that is gone was withdrawn, unless its server is mine', () => {
    const before = { list: list({ incoming_transfers: [transfer('1', 'a')] }) }
    expect(kinds(before, { list: list({}) })).toEqual([['offer withdrawn', '1']])
    expect(kinds(before, { list: list({ owned: owned('a') }) })).toEqual([])
  })
})

describe('managements', () => {
  test('given and over', () => {
    expect(kinds({ me: me([management('1')]) }, { me: me([management('2')]) })).toEqual([
      ['management given', '2'],
      ['management over', '1'],
    ])
  })

  test('permissions that change are the same management', () => {
    expect(kinds({ me: me([management('1')]) }, { me: me([{ ...management('1'), permissions: ['RESET_ADDRESS'] }]) })).toEqual([])
  })

  test('a manager of mine who is gone', () => {
    const given: GivenManagement = { id: '1', manager_id: 'm', manager: person('m'), permissions: ['EDIT_DETAILS'], created_at: at }
    expect(kinds({ me: me([], { gived_managements: [given] }) }, { me: me([]) })).toEqual([['manager over', '1']])
  })

  test('a ban says everything else by itself', () => {
    expect(kinds({ me: me([management('1')]) }, { me: me([], { banned: true }) })).toEqual([])
  })
})

test('what was not known before is no news', () => {
  expect(kinds({}, { me: me([management('1')]), list: list({ incoming_transfers: [transfer('1', 'a')] }) })).toEqual([])
})
