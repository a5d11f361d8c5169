/** Parsing and serializing of search parameters. */
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-params.ts'

test.each([
  ['?status[0]=online&status[1]=offline&search=foo&page=3', { status: ['online', 'offline'], search: 'foo', page: '3' }],
  // Some programs encode brackets.
  ['status%5B0%5D=online', { status: ['online'] }],
  // Values that look like JSON stay strings.
  ['?q=007&tab=true&x={"a":1}&y=%22b%22&z=null', { q: '007', tab: 'true', x: '{"a":1}', y: '"b"', z: 'null' }],
  ['?q=a%20b+c%26d', { q: 'a b c&d' }],
  ['', {}],
])('%s is parsed', (address, search) => {
  expect({ ...parseSearch(address) }).toEqual(search)
})

test.each([
  [{ status: ['online', 'offline'], search: 'foo', page: 3 }, '?status[0]=online&status[1]=offline&search=foo&page=3'],
  [{ missing: undefined, empty: [], nothing: null }, ''],
  [{ q: 'a b&c=[0]=' }, '?q=a+b%26c%3D%5B0%5D%3D'],
])('%j is serialized', (search, address) => {
  expect(stringifySearch(search)).toBe(address)
})

test('a serialized search parses to the same value, and parsing cannot pollute prototypes', () => {
  const search = { tags: ['a=b', '[0]', ''], search: '%5B0%5D= "x" 1e3', page: '2' }
  expect({ ...parseSearch(stringifySearch(search)) }).toEqual(search)
  parseSearch('?__proto__[0]=x&constructor=y')
  expect(({} as Record<string, unknown>)['0']).toBeUndefined()
})
