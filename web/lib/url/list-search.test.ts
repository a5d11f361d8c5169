/** Search parameters of lists: defaults, correction, and the query for the backend. */
import { expect, test } from 'vitest'
import { anyOf, defineList, oneOf, queryOf, matching, anyMatching, UUID } from './list-search.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

const list = defineList({
  sorts: { created_at: 'desc', name: 'asc' },
  filters: { status: anyOf(['online', 'offline']), banned: oneOf(['true', 'false']), user_id: matching(UUID) },
})
const read = (address: string) => list.read(parseSearch(address))
const write = (address: string, changes: object = {}) => stringifySearch(list.write({ ...read(address), ...changes }))

test('an empty address is the first page with the defaults', () => {
  expect(read('')).toEqual({
    page: 1,
    per_page: 50,
    search: '',
    sort: 'created_at',
    order: 'desc',
    after: undefined,
    before: undefined,
    open: undefined,
    status: [],
    banned: undefined,
    user_id: undefined,
  })
})

test('defaults are omitted from the address, and other values survive writing and reading', () => {
  expect(write('', { page: 1, per_page: 50, sort: 'created_at', order: 'desc', search: '' })).toBe('')
  const address = write('', {
    status: ['online'],
    banned: 'true',
    search: 'foo',
    sort: 'name',
    order: 'asc',
    page: 3,
    after: 'aB3',
    open: 'x',
  })
  expect(read(address)).toMatchObject({
    status: ['online'],
    banned: 'true',
    search: 'foo',
    sort: 'name',
    order: 'asc',
    page: 3,
    after: 'aB3',
    open: 'x',
  })
  expect(address).toContain('status[0]=online')
  expect(address).toContain('sort=name')
  expect(read(write('', { sort: 'name', order: 'desc' }))).toMatchObject({ sort: 'name', order: 'desc' })
})

test.each([
  ['?page=0&per_page=7', ''],
  ['?page=-1', ''],
  ['?page=1e3', ''],
  ['?page[0]=2', ''],
  ['?page=99999999', ''],
  ['?sort=color', ''],
  ['?sort=-created_at', ''],
  ['?sort=--name', ''],
  ['?status[0]=nonsense&status[1]=online&status[2]=online', '?status[0]=online'],
  ['?status=offline', '?status[0]=offline'],
  ['?banned=maybe&user_id=1', ''],
  // A cursor needs a page after the first, and only one is kept.
  ['?after=a', ''],
  ['?page=2&after=a&before=b', '?page=2&after=a'],
  ["?page=2&after=a'b", '?page=2'],
  ['?unknown=1', ''],
])('%s is corrected to %j', (address, corrected) => {
  expect(write(address)).toBe(corrected)
})

test('the query for the backend omits the open row and a blank search', () => {
  expect(queryOf(read('?search=+foo+&open=x'))).toMatchObject({
    search: 'foo',
    page: '1',
    per_page: '50',
    sort: 'created_at',
    order: 'desc',
  })
  expect(queryOf(read('?search=++&open=x'))).not.toHaveProperty('open')
  expect(queryOf(read('?search=++')).search).toBeUndefined()
})

test('anyOf accepts all of its values, and anyMatching at most its maximum', () => {
  const kinds = Array.from({ length: 30 }, (_, number) => `KIND_${number}`)
  const long = defineList({ sorts: { at: 'desc' }, filters: { kind: anyOf(kinds), tags: anyMatching(/^.{1,24}$/u, 3) } })
  const { kind, tags } = long.read({ kind: [...kinds, 'NONSENSE'], tags: kinds })
  expect(kind).toEqual(kinds)
  expect(tags).toEqual(['KIND_0', 'KIND_1', 'KIND_2'])
  expect(stringifySearch(long.write(long.read({ kind: ['NONSENSE'] })))).toBe('')
})

test('the filter key depends on the search and filters, but not on the page, order or open row', () => {
  const filterKey = (address: string) => list.filterKey(read(address))
  expect(filterKey('?page=3&per_page=25&sort=-name&open=x&search=%20')).toBe(filterKey(''))
  const others = ['?search=foo', '?status=online', '?status=online&status=offline', '?banned=true', '?banned=false'].map(filterKey)
  expect(new Set([...others, filterKey('')]).size).toBe(6)
})
