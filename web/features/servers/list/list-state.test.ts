/** The servers page: its state in the URL, and the order of its rows. */
import { expect, test } from 'vitest'
import type { Server } from '#contract/servers/servers.ts'
import { serversList, sortServers } from './list-state.ts'

test.each([
  [{}, {}],
  [
    { q: 'pier', status: 'listed', sort: '-players', view: 'compact' },
    { q: 'pier', status: 'listed', sort: '-players', view: 'compact' },
  ],
  [{ sort: 'name' }, {}],
  [{ sort: '-name' }, { sort: '-name' }],
  [{ status: 'online', sort: '--name', view: 'huge' }, {}],
  [{ sort: 'constructor', status: 'toString' }, {}],
])('the URL state %j becomes %j', (search, normalized) => {
  const written = serversList.write(serversList.read(search))
  expect(JSON.parse(JSON.stringify(written))).toEqual(normalized)
})

const server = (public_id: string, name: string, players: number | null): Server =>
  ({
    public_id,
    name,
    live: players === null ? null : { players, last_announce_at: '2026-01-01T00:00:00Z' },
    listing: { listed: true, reasons: [] },
    status: players === null ? 'offline' : 'online',
  }) as unknown as Server

const SERVERS = [server('a', 'Pier 10', 5), server('b', 'pier 2', null), server('c', 'Attic', 90), server('d', 'Quay', 5)]
const order = (sort: string, ...pinned: string[]) =>
  sortServers(SERVERS, serversList.read({ sort }), new Set(pinned))
    .map(({ public_id: id }) => id)
    .join('')

test('names sort with their numbers and without case', () => {
  expect(order('name')).toBe('cbad')
  expect(order('-name')).toBe('dabc')
})

test('a server without players sorts last in both orders, and equal values sort by name', () => {
  expect(order('-players')).toBe('cadb')
  expect(order('players')).toBe('adcb')
})

test('servers that need attention come first when sorted by status', () => {
  expect(order('status')).toBe('bcad')
})

test('pinned servers come first in any order', () => {
  expect(order('-players', 'b')).toBe('bcad')
  expect(order('name', 'd', 'a')).toBe('adcb')
})
