/** `muster keys` as a command, and the environment that its files make. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { readEnv } from '#backend/platform/env.ts'
import { runCommand } from '#tests/program.ts'

const parent = mkdtempSync(join(tmpdir(), 'muster-keys-'))
const folder = join(parent, 'keys')
afterAll(() => rmSync(parent, { recursive: true }))

const keys = (...args: readonly string[]) => runCommand(['keys', ...args], { MASTERLIST_PUBLIC_URL: 'https://list.example.com' })
const files = () => readdirSync(folder).toSorted()
const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
const envOf = (online: number, notes: number) =>
  readEnv({ SIGNING_KEY_FILE: join(folder, `online-${online}.key`), SIGNING_KEYS_FILE: join(folder, `keys-${notes}.note`) })

let first: string

beforeAll(async () => {
  first = (await keys('init', folder, '--days', '20')).output
})

test('init makes a root key and an online key that only their owner can read, and says what to do with each', () => {
  expect(files()).toEqual(['keys-1.note', 'online-1.key', 'root-1.key'])
  for (const name of files()) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
  expect(first).toContain('Move root-1.key to a place that is not online')
  expect(first).toContain(`SIGNING_KEY_FILE=${folder}/online-1.key\n  SIGNING_KEYS_FILE=${folder}/keys-1.note`)
  expect(first).toMatch(/Give this public key to launchers and mirrors:\n {2}list\.example\.com\/root\+[0-9a-f]{8}\+A\S{43}\n/)
  for (const name of ['online-1.key', 'root-1.key']) expect(first).not.toContain(read(name).trim().slice(-40))
  expect(envOf(1, 1).SIGNING_KEYS?.current).toMatchObject({ version: 1, root: first.trim().split('\n').at(-1)?.trim() })
})

test('nothing is overwritten, and each mistake has a sentence', async () => {
  const before = files().map(read)
  const results = await Promise.all([
    keys('init', folder),
    keys(),
    keys('destroy', folder),
    keys('init', folder, '--days', '0'),
    keys('init', join(parent, 'other'), '--name', 'a b'),
    keys('renew', join(parent, 'none')),
    keys('renew', folder, '--root', join(folder, 'online-1.key')),
    keys('renew', folder, '--root', join(folder, 'missing')),
  ])
  expect(results.map(({ code, output }) => `${code} ${output.trim()}`)).toEqual([
    `1 ${folder} already has keys. Nothing was changed. Use another folder, or "keys renew".`,
    expect.stringMatching(/^1 Usage: /),
    expect.stringMatching(/^1 Usage: /),
    '1 --days must be a whole number from 1 to 800.',
    '1 --name must be at most 95 characters, without spaces or plus signs.',
    expect.stringMatching(/^1 .* has no file keys-N\.note\./),
    expect.stringMatching(/^1 .*online-1\.key is not the root key list\.example\.com\/root\+/),
    `1 ${folder}/missing cannot be read.`,
  ])
  expect(files().map(read)).toEqual(before)
})

test('renew adds an online key, rotate-root a root key, and the nodes accept each pair that belongs together', async () => {
  expect((await keys('renew', folder)).output).toContain('then SIGNING_KEY on one after the other')
  expect((await keys('rotate-root', folder)).output).toContain('Launchers and mirrors with the former public key follow by themselves.')
  expect((await keys('renew', folder, '--revoke')).output).toContain('Restart all nodes at once')
  expect(files()).toEqual([
    'keys-1.note',
    'keys-2.note',
    'keys-3.note',
    'keys-4.note',
    'online-1.key',
    'online-2.key',
    'online-4.key',
    'root-1.key',
    'root-3.key',
  ])
  for (const [online, notes] of [
    [1, 2],
    [2, 2],
    [1, 3],
    [2, 3],
    [4, 4],
  ] as const)
    expect(envOf(online, notes).SIGNING_KEYS?.current.version).toBe(notes)
  for (const [online, notes] of [
    [2, 1],
    [1, 4],
    [2, 4],
  ] as const)
    expect(() => envOf(online, notes)).toThrow(/SIGNING_KEY is a key that SIGNING_KEYS does not name: list\.example\.com\+/)
})

test('wrong and incomplete variables are rejected at the start', () => {
  const variables = { SIGNING_KEY: read('online-1.key'), SIGNING_KEYS: read('keys-1.note') }
  const mistakesOf = (more: Readonly<Record<string, string | undefined>>) => {
    try {
      readEnv({ ...variables, ...more })
      return []
    } catch (error) {
      return (error as Error).message
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/^ +- /, ''))
    }
  }
  expect(mistakesOf({ SIGNING_KEYS: undefined })).toEqual(['SIGNING_KEYS must be set if SIGNING_KEY is set.'])
  expect(mistakesOf({ SIGNING_KEY: undefined, MIRRORS: 'https://a.example', PUBLISH_URL: 'published' })).toEqual([
    'SIGNING_KEY must be set if SIGNING_KEYS is set.',
    'PUBLISH_URL needs SIGNING_KEY: only a signed list can be published.',
    'MIRRORS needs SIGNING_KEY: only a signed list can have mirrors.',
  ])
  expect(mistakesOf({ SIGNING_KEY: first.trim().split('\n').at(-1) })).toEqual([
    'SIGNING_KEY must be the content of a file online-N.key of "muster keys".',
  ])
  expect(mistakesOf({ SIGNING_KEYS: variables.SIGNING_KEYS.replace('"version":1', '"version":2') })).toEqual([
    'SIGNING_KEYS is wrong: the key notes have a note that its root key has not signed.',
  ])
  expect(mistakesOf({ SIGNING_KEYS: 'keys' })).toEqual([
    'SIGNING_KEYS is wrong: the key notes are not signed notes. Use a file keys-N.note of "muster keys".',
  ])
  expect(mistakesOf({ PUBLISH_URL: 'ftp://files.example', MIRRORS: 'a.example' })).toEqual([
    'MIRRORS must be comma-separated URLs that begin with http:// or https://.',
    'PUBLISH_URL must be a path, a file:// URL, or the http(s) URL of an S3-compatible bucket.',
  ])
  expect(mistakesOf({ PUBLISH_URL: 'https://s3.example/list' })).toEqual([
    'PUBLISH_ACCESS_KEY_ID and PUBLISH_SECRET_ACCESS_KEY must be set if PUBLISH_URL is a bucket.',
  ])
  expect(mistakesOf({ PUBLISH_URL: 'published', PUBLISH_ACCESS_KEY_ID: 'x' })).toEqual([
    'PUBLISH_URL must be a bucket if PUBLISH_ACCESS_KEY_ID or PUBLISH_SECRET_ACCESS_KEY is set.',
  ])
  // A line break of the notes may be written as \n.
  expect(mistakesOf({ SIGNING_KEYS: variables.SIGNING_KEYS.replaceAll('\n', String.raw`\n`) })).toEqual([])
  expect(JSON.stringify(readEnv(variables))).not.toContain(variables.SIGNING_KEY.slice(-40))
})
