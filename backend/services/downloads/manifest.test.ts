/** Parsing of the downloads manifest. */
import { expect, test } from 'vitest'
import { readManifest } from './manifest.ts'

const build = {
  branch: 'release',
  platform: 'x64_linux',
  version: '1.0.0',
  date: '2026-11-02',
  size: 1024,
  sha256: '0'.repeat(64),
  url: 'https://cdn.example.com/server-1.0.0.tar.gz',
}
const product = (...builds: Record<string, unknown>[]) => ({ id: 'server', name: 'Server', builds })
const manifest = (...builds: Record<string, unknown>[]) => JSON.stringify({ manifest: 1, products: [product(...builds)] })

const INVALID: readonly (readonly [string, string, RegExp])[] = [
  ['another format', JSON.stringify({ manifest: 2, products: [] }), /^manifest must be 1/],
  ['an array', '[]', /^The manifest must be an object\.$/],
  [
    'an unknown field',
    JSON.stringify({ manifest: 1, products: [{ ...product(build), icon: 'x' }] }),
    /^products\[0\] has an unknown field: icon\.$/,
  ],
  ['a short checksum', manifest(build, { ...build, version: '2', sha256: 'abc' }), /^products\[0\]\.builds\[1\]\.sha256 must be 64 hex/],
  [
    'a URL without https',
    manifest({ ...build, url: 'http://cdn.example.com/a.zip' }),
    /builds\[0\]\.url must be a URL that starts with https/,
  ],
  ['a script URL', manifest({ ...build, url: 'javascript:alert(1)' }), /builds\[0\]\.url must be/],
  ['a URL without a file name', manifest({ ...build, url: 'https://cdn.example.com/' }), /builds\[0\]\.url must be/],
  ['a size of zero', manifest({ ...build, size: 0 }), /builds\[0\]\.size must be above 0/],
  ['a size with a fraction', manifest({ ...build, size: 1.5 }), /builds\[0\]\.size must be the number of bytes/],
  ['an invalid date', manifest({ ...build, date: '02.11.2026' }), /builds\[0\]\.date must be a date such as/],
  ['a day that does not exist', manifest({ ...build, date: '2026-02-30' }), /builds\[0\]\.date must be a date/],
  ['a missing field', manifest({ ...build, version: undefined }), /builds\[0\]\.version must be text\.$/],
  ['a branch with spaces', manifest({ ...build, branch: 'my branch' }), /builds\[0\]\.branch must be 1 to 48/],
  ['a build twice', manifest(build, build), /^products\[0\]\.builds\[1\] repeats the build of 1\.0\.0 for release and x64_linux\.$/],
  ['a product twice', JSON.stringify({ manifest: 1, products: [product(), product()] }), /^products\[1\]\.id repeats "server"\.$/],
  ['two mistakes', manifest({ ...build, size: 0, sha256: '' }), / The manifest has 1 more mistake\.$/],
  [
    'too many products',
    JSON.stringify({ manifest: 1, products: Array.from({ length: 101 }, (_, id) => ({ ...product(), id: `p${id}` })) }),
    /at most 100 products/,
  ],
  [
    'too many builds',
    manifest(...Array.from({ length: 1001 }, (_, at) => ({ ...build, version: `1.${at}` }))),
    /at most 1000 builds in all/,
  ],
]

test.each(INVALID)('reports %s with its path', (_what, json, sentence) => {
  expect(() => readManifest(json)).toThrow(sentence)
})

test('accepts the maximum number of products and builds', () => {
  const products = Array.from({ length: 100 }, (_, id) => ({
    ...product(...Array.from({ length: 10 }, (_each, at) => ({ ...build, version: `1.${at}` }))),
    id: `p${id}`,
  }))
  expect(readManifest(JSON.stringify({ manifest: 1, products }))).toHaveLength(100)
})
