/** Content negotiation: Accept-Encoding and If-None-Match. */
import { expect, test } from 'vitest'
import { encodingFor, matchesEtag } from './negotiation.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0', 'identity'],
  ['gzip;q=0, br;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0.5, gzip;q=1', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['identity', 'identity'],
  ['identity, gzip;q=0.5', 'identity'],
  ['gzip ; q=0.8', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'identity'],
  ['zstd', 'identity'],
  ['gzip;q=abc', 'identity'],
  ['identity;q=0, gzip', 'gzip'],
  ['*;q=0', 'identity'],
])('Accept-Encoding %j selects %s', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding)
})

test('ETags are compared weakly, any in a list matches, and * matches everything', () => {
  const etag = 'W/"abc"'
  expect(['W/"abc"', '"abc"', '"x", W/"abc"', '*', ' "abc" '].map((header) => matchesEtag(header, etag))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
  expect([undefined, '', '"ab"', 'abc', '"abcd"'].map((header) => matchesEtag(header, etag))).toEqual([false, false, false, false, false])
})
