/** The servers page: its state in the URL, and the order of its rows. */
import { expect, test } from 'vitest'
import type { Server } from '#contract/servers/servers.ts'
import { readListState, type Sort, sortServers, writeListState } from './list-state.ts'

test.each([
  [{}, {}],
  [
    { q: 'pier', status: 'listed', sort: '-players', view: 'compact' },
    { q: 'pier', status: 'listed', sort: '-players', view: 'compact' },
  ],
  [{ sort: 'name' }, {}],
  [{ sort: '-name' }, { sort: '-name' }],
  [{ status: 'online', sort: '--name', view: 'huge', q: 7 }, {}],
  [{ sort: 'constructor', status: 'toString' }, {}],
])('the URL state %j becomes %j', (search, normalized) => {
  const written = writeListState(readListState(search))
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
const order = (sort: Sort, ...pinned: string[]) =>
  sortServers(SERVERS, sort, new Set(pinned))
    .map(({ public_id: id }) => id)
    .join('')

test('names sort with their numbers and without case', () => {
  expect(order({ key: 'name', order: 'asc' })).toBe('cbad')
  expect(order({ key: 'name', order: 'desc' })).toBe('dabc')
})

test('a server without players sorts last in both orders, and equal values sort by name', () => {
  expect(order({ key: 'players', order: 'desc' })).toBe('cadb')
  expect(order({ key: 'players', order: 'asc' })).toBe('adcb')
})

test('servers that need attention come first when sorted by status', () => {
  expect(order({ key: 'status', order: 'asc' })).toBe('bcad')
})

test('pinned servers come first in any order', () => {
  expect(order({ key: 'players', order: 'desc' }, 'b')).toBe('bcad')
  expect(order({ key: 'name', order: 'asc' }, 'd', 'a')).toBe('adcb')
})
