import { expect, test } from 'vitest'
import type { ManagedServer } from '#contract/servers/servers.ts'
import type { PublicUser, ReceivedManagement } from '#contract/users/users.ts'
import { managedGroups } from './managed-groups.ts'

const user = (id: string, username: string): PublicUser => ({ id, discord: { discord_id: id, username, avatar: null } })
const received = (owner: PublicUser): ReceivedManagement => ({
  id: `m-${owner.id}`,
  owner_id: owner.id,
  owner,
  permissions: ['EDIT_DETAILS'],
  created_at: '2026-01-01T00:00:00.000Z',
})
const server = (owner: PublicUser, public_id: string) =>
  ({ public_id, user_id: owner.id, owner, permissions: ['RESET_ADDRESS'] }) as unknown as ManagedServer

const [zoe, adam] = [user('1', 'zoe'), user('2', 'adam')]

test('owners are sorted by name, each with their servers', () => {
  const groups = managedGroups([received(zoe), received(adam)], [server(zoe, 'a'), server(adam, 'b'), server(zoe, 'c')])
  expect(groups.map(({ owner, servers }) => [owner.discord.username, servers.map((each) => each.public_id)])).toEqual([
    ['adam', ['b']],
    ['zoe', ['a', 'c']],
  ])
})

test('owners without servers come last, and servers may arrive before their grant', () => {
  const groups = managedGroups([received(zoe), received(adam)], [server(user('3', 'zuzu'), 'b')])
  expect(groups.map(({ owner, permissions, servers }) => [owner.id, permissions, servers.length])).toEqual([
    ['3', ['RESET_ADDRESS'], 1],
    ['2', ['EDIT_DETAILS'], 0],
    ['1', ['EDIT_DETAILS'], 0],
  ])
})
