import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://panel.example',
  MASTERLIST_PUBLIC_URL: 'https://list.example',
  DISCORD_CLIENT_ID: '1',
  DISCORD_CLIENT_SECRET: 's',
  COOKIE_SECRET: '0123456789abcdef0123456789abcdef',
}

/** Variables that have no default, so that an empty environment does not show them. */
const OPTIONAL = [
  'DATABASE_URL',
  'DISCORD_CLIENT_ID',
  'DISCORD_CLIENT_SECRET',
  'COOKIE_SECRET',
  'DOWNLOADS_MANIFEST',
  'IMAGES_URL',
  'IMAGES_ACCESS_KEY_ID',
  'IMAGES_SECRET_ACCESS_KEY',
  'IMAGES_PUBLIC_URL',
  'PATREON_WEBHOOK_SECRET',
  'METRICS_TOKEN',
]

const PATREON_WEBHOOK_SECRET = 'webhook-secret-of-the-tests'

const mistakesOf = (variables: Record<string, string>) => {
  try {
    readEnv(variables)
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
  return []
}

describe('configuration', () => {
  test('an empty environment is a newcomer’s: local sign-in, this machine only, the contract’s defaults', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      MASTERLIST_PORT: 3001,
      HOST: '127.0.0.1',
      usesLocalIdentity: true,
      isProduction: false,
      ANNOUNCE_TTL_SECONDS: 75,
      ACCOUNT_DELETION_DELAY_HOURS: 24,
      DRAIN_SECONDS: 0,
      RATE_LIMITS: true,
      NODE_INTERNALS: true,
      REACHABILITY: 'off',
      REACHABILITY_PRIVATE: false,
      DISCORD_AUTHORIZE_URL: 'https://discord.com/oauth2/authorize',
      DISCORD_API_URL: 'https://discord.com/api/v10',
    })
  })

  test('every mistake is named at once', () => {
    const mistakes = mistakesOf({
      PORT: 'many',
      PUBLIC_URL: 'panel',
      ANNOUNCE_TTL_SECONDS: '0',
      RATE_LIMITS: 'maybe',
      DATABASE_URL: 'mysql://x',
      DRAIN_SECONDS: '-1',
    })
    expect(mistakes).toHaveLength(6)
  })

  test('a production start is refused with all reasons at once', () => {
    const mistakes = mistakesOf({ NODE_ENV: 'production', PUBLIC_URL: 'http://panel.example', RATE_LIMITS: 'off' }).join('\n')
    for (const name of [
      'DISCORD_CLIENT_ID',
      'DISCORD_CLIENT_SECRET',
      'PUBLIC_URL',
      'MASTERLIST_PUBLIC_URL',
      'COOKIE_SECRET',
      'RATE_LIMITS',
    ])
      expect(mistakes).toContain(name)
    const mixed = mistakesOf({
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://x',
      PORT: 'abc',
      COOKIE_SECRET: 'short',
      TRUSTED_PROXIES: 'foo',
      DISCORD_CLIENT_ID: '1',
    })
    expect(mixed.map((mistake) => mistake.replace(/^ +- (\w+).*/, '$1')).toSorted()).toEqual([
      'COOKIE_SECRET',
      'DISCORD_CLIENT_SECRET',
      'MASTERLIST_PUBLIC_URL',
      'PORT',
      'PUBLIC_URL',
      'TRUSTED_PROXIES',
    ])
    expect(mistakesOf({ ...PRODUCTION, COOKIE_SECRET: 'change-me-to-32-random-characters-or-more' })).toHaveLength(1)
    expect(mistakesOf(PRODUCTION)).toEqual([])
  })

  test('production never has the local provider, and listens everywhere', () => {
    expect(readEnv(PRODUCTION)).toMatchObject({ usesLocalIdentity: false, HOST: '::' })
  })

  test('a client id without its secret is a mistake', () => {
    expect(mistakesOf({ DISCORD_CLIENT_ID: '1' })).toHaveLength(1)
  })

  test('a secret may come from a file; both, or a file that is not there, is a mistake', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-env-'))
    const file = join(folder, 'secret')
    writeFileSync(file, 'from the file\n')
    expect(readEnv({ DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET_FILE: file }).DISCORD_CLIENT_SECRET).toBe('from the file')
    expect(mistakesOf({ DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 'x', DISCORD_CLIENT_SECRET_FILE: file })).toHaveLength(1)
    expect(mistakesOf({ DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 'x', COOKIE_SECRET_FILE: join(folder, 'none') })).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })

  test('a storage of pictures without its key is a mistake', () => {
    expect(mistakesOf({ IMAGES_URL: 'https://s3.example.com/muster', IMAGES_ACCESS_KEY_ID: 'id' })).toEqual([
      '  - IMAGES_ACCESS_KEY_ID and IMAGES_SECRET_ACCESS_KEY must be set where IMAGES_URL is.',
    ])
  })

  test('a key without the storage that it opens is a mistake', () => {
    for (const name of ['IMAGES_ACCESS_KEY_ID', 'IMAGES_SECRET_ACCESS_KEY'])
      expect(mistakesOf({ [name]: 'x' })).toEqual(['  - IMAGES_URL must be set where IMAGES_ACCESS_KEY_ID or IMAGES_SECRET_ACCESS_KEY is.'])
    // One mistake is told once.
    expect(mistakesOf({ IMAGES_URL: 'bucket', IMAGES_ACCESS_KEY_ID: 'id', IMAGES_SECRET_ACCESS_KEY: 'x' })).toHaveLength(1)
  })

  test('tiers of a provider that nobody set up are a mistake', () => {
    const PATREON_TIERS = 'Town Hero=GOLD'
    expect(mistakesOf({ PATREON_TIERS })).toEqual(['  - PATREON_WEBHOOK_SECRET must be set where PATREON_TIERS is.'])
    expect(mistakesOf({ PATREON_TIERS, PATREON_WEBHOOK_SECRET: 'short' })).toHaveLength(1)
    expect(mistakesOf({ PATREON_WEBHOOK_SECRET })).toEqual([])
  })

  test('tiers of a provider are pairs, by id or title in any case, each named once', () => {
    const { PATREON_TIERS: tiers } = readEnv({ PATREON_WEBHOOK_SECRET, PATREON_TIERS: 'Town Hero=GOLD, 1234567 = RUBY' })
    expect([...tiers]).toEqual([
      ['town hero', 'GOLD'],
      ['1234567', 'RUBY'],
    ])
    for (const wrong of ['Town Hero', 'Town Hero=Gold', '=GOLD', 'Town Hero=GOLD,x'])
      expect(mistakesOf({ PATREON_WEBHOOK_SECRET, PATREON_TIERS: wrong }), wrong).toHaveLength(1)
    for (const twice of ['Town Hero=GOLD, town hero =RUBY', '7=GOLD,7=GOLD'])
      expect(mistakesOf({ PATREON_WEBHOOK_SECRET, PATREON_TIERS: twice })).toEqual([
        '  - PATREON_TIERS must name each tier of the provider once.',
      ])
  })

  test('checks that are switched off are named as they are called', () => {
    expect(readEnv({ PROTECTION_OFF: 'IMPERSONATION, ANNOUNCE_FLOOD' }).PROTECTION_OFF).toEqual(['IMPERSONATION', 'ANNOUNCE_FLOOD'])
    expect(readEnv({}).PROTECTION_OFF).toEqual([])
    expect(mistakesOf({ PROTECTION_OFF: 'impersonation' }).join()).toContain('IMPERSONATION')
    expect(mistakesOf({ PROTECTION_OFF: 'ALL' })).toHaveLength(1)
  })

  test('a mistake never repeats a secret', () => {
    expect(mistakesOf({ COOKIE_SECRET: 'short-secret', DISCORD_CLIENT_ID: '1' }).join()).not.toContain('short-secret')
  })
})

test('.env.example names every variable, and is itself a configuration that starts', () => {
  const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
  const rows = text.split('\n').filter((row) => /^#?[A-Z_]+=/.test(row))
  const named = rows.map((row) => row.replace(/^#/, '').split('=', 1)[0] ?? '')
  const read = Object.keys(readEnv({})).filter((name) => /^[A-Z]/.test(name))
  expect(named.toSorted()).toEqual([...new Set([...read, 'HOST', 'PUBLIC_URL', 'MASTERLIST_PUBLIC_URL', ...OPTIONAL])].toSorted())
  const active = rows.filter((row) => !row.startsWith('#')).map((row) => row.split(/=(.*)/s).slice(0, 2) as [string, string])
  expect(() => readEnv(Object.fromEntries(active))).not.toThrow()
})
