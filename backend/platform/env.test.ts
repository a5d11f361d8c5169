/** Environment variables: defaults, mistakes, secrets and .env.example. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'
import { oidcVariablesOf } from './env-oidc.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://panel.example',
  MASTERLIST_PUBLIC_URL: 'https://list.example',
  DISCORD_CLIENT_ID: '1',
  DISCORD_CLIENT_SECRET: 's',
  COOKIE_SECRET: '0123456789abcdef0123456789abcdef',
}

/** Variables without a default, which an empty environment lacks. */
const OPTIONAL = [
  'AUDIT_DAYS',
  'BACKUP_DIR',
  'BRAND_LOGO',
  'BRAND_ACCENT',
  'CONNECT_URL_TEMPLATE',
  'DATABASE_URL',
  'DISCORD_CLIENT_ID',
  'DISCORD_CLIENT_SECRET',
  'COOKIE_SECRET',
  'DOWNLOADS_MANIFEST',
  'IMAGES_URL',
  'IMAGES_ACCESS_KEY_ID',
  'IMAGES_SECRET_ACCESS_KEY',
  'IMAGES_PUBLIC_URL',
  'SIGNING_KEY',
  'SIGNING_KEYS',
  'PUBLISH_URL',
  'PUBLISH_ACCESS_KEY_ID',
  'PUBLISH_SECRET_ACCESS_KEY',
  'PATREON_WEBHOOK_SECRET',
  'OPERATOR_WEBHOOK_URL',
  'SUPPORT_URL',
  'TERMS_URL',
  'PRIVACY_URL',
  'IMPRINT_URL',
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
  test('an empty environment has local sign-in, listens on this machine only, and uses the contract’s defaults', () => {
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
      REACHABILITY: 'off',
      REACHABILITY_PRIVATE: false,
      DISCORD_AUTHORIZE_URL: 'https://discord.com/oauth2/authorize',
      DISCORD_API_URL: 'https://discord.com/api/v10',
    })
  })

  test('reports every mistake at once', () => {
    const mistakes = mistakesOf({
      PORT: 'many',
      PUBLIC_URL: 'panel',
      ANNOUNCE_TTL_SECONDS: '0',
      RATE_LIMITS: 'maybe',
      DATABASE_URL: 'mysql://x',
      DRAIN_SECONDS: '-1',
      ADMIN_DISCORD_IDS: '80351110224678912, nelly',
    })
    expect(mistakes).toHaveLength(7)
  })

  test('rejects a production start with all reasons at once', () => {
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

  test('production never uses the local identity provider, and listens on all addresses', () => {
    expect(readEnv(PRODUCTION)).toMatchObject({ usesLocalIdentity: false, HOST: '::' })
  })

  test('rejects a client id without its secret', () => {
    expect(mistakesOf({ DISCORD_CLIENT_ID: '1' })).toHaveLength(1)
  })

  test('reads a secret from a file, and rejects a missing file or both variables', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-env-'))
    const file = join(folder, 'secret')
    writeFileSync(file, 'from the file\n')
    expect(readEnv({ DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET_FILE: file }).DISCORD_CLIENT_SECRET).toBe('from the file')
    expect(mistakesOf({ DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 'x', DISCORD_CLIENT_SECRET_FILE: file })).toHaveLength(1)
    expect(mistakesOf({ DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 'x', COOKIE_SECRET_FILE: join(folder, 'none') })).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })

  test('rejects an image storage without its key', () => {
    expect(mistakesOf({ IMAGES_URL: 'https://s3.example.com/muster', IMAGES_ACCESS_KEY_ID: 'id' })).toEqual([
      '  - IMAGES_ACCESS_KEY_ID and IMAGES_SECRET_ACCESS_KEY must be set if IMAGES_URL is set.',
    ])
  })

  test('rejects a key without its image storage', () => {
    for (const name of ['IMAGES_ACCESS_KEY_ID', 'IMAGES_SECRET_ACCESS_KEY'])
      expect(mistakesOf({ [name]: 'x' })).toEqual([
        '  - IMAGES_URL must be set if IMAGES_ACCESS_KEY_ID or IMAGES_SECRET_ACCESS_KEY is set.',
      ])
    // Each mistake is reported once.
    expect(mistakesOf({ IMAGES_URL: 'bucket', IMAGES_ACCESS_KEY_ID: 'id', IMAGES_SECRET_ACCESS_KEY: 'x' })).toHaveLength(1)
  })

  test('rejects tiers of a provider that is not configured', () => {
    const PATREON_TIERS = 'Town Hero=GOLD'
    expect(mistakesOf({ PATREON_TIERS })).toEqual(['  - PATREON_WEBHOOK_SECRET must be set if PATREON_TIERS is set.'])
    expect(mistakesOf({ PATREON_TIERS, PATREON_WEBHOOK_SECRET: 'short' })).toHaveLength(1)
    expect(mistakesOf({ PATREON_WEBHOOK_SECRET })).toEqual([])
  })

  test('reads tiers as pairs, by id or case-insensitive title, and rejects duplicates', () => {
    const { PATREON_TIERS: tiers } = readEnv({ PATREON_WEBHOOK_SECRET, PATREON_TIERS: 'Town Hero=GOLD, 1234567 = RUBY' })
    expect([...tiers]).toEqual([
      ['town hero', 'GOLD'],
      ['1234567', 'RUBY'],
    ])
    for (const invalid of ['Town Hero', 'Town Hero=Gold', '=GOLD', 'Town Hero=GOLD,x'])
      expect(mistakesOf({ PATREON_WEBHOOK_SECRET, PATREON_TIERS: invalid }), invalid).toHaveLength(1)
    for (const duplicates of ['Town Hero=GOLD, town hero =RUBY', '7=GOLD,7=GOLD'])
      expect(mistakesOf({ PATREON_WEBHOOK_SECRET, PATREON_TIERS: duplicates })).toEqual([
        '  - PATREON_TIERS must name each tier of the provider once.',
      ])
  })

  test('reads the kinds of disabled checks, and rejects unknown kinds', () => {
    expect(readEnv({ PROTECTION_OFF: 'IMPERSONATION, ANNOUNCE_FLOOD' }).PROTECTION_OFF).toEqual(['IMPERSONATION', 'ANNOUNCE_FLOOD'])
    expect(readEnv({}).PROTECTION_OFF).toEqual([])
    expect(mistakesOf({ PROTECTION_OFF: 'impersonation' }).join()).toContain('IMPERSONATION')
    expect(mistakesOf({ PROTECTION_OFF: 'ALL' })).toHaveLength(1)
  })

  test('reachability is checked only if neither it nor its kind of issue is switched off', () => {
    expect(readEnv({}).checksReachability).toBe(false)
    expect(readEnv({ REACHABILITY: 'warn' }).checksReachability).toBe(true)
    expect(readEnv({ REACHABILITY: 'require', PROTECTION_OFF: 'UNREACHABLE' }).checksReachability).toBe(false)
  })

  test('reads several public keys with line breaks or \\n, and rejects anything but ECDSA P-256', () => {
    const pemOf = (namedCurve: string) =>
      String(generateKeyPairSync('ec', { namedCurve }).publicKey.export({ type: 'spki', format: 'pem' }))
    const keys = `${pemOf('P-256')}\n${pemOf('P-256')}`
    for (const text of [keys, keys.replaceAll('\n', String.raw`\n`)])
      expect(readEnv({ LEAK_REPORT_PUBLIC_KEYS: text }).LEAK_REPORT_PUBLIC_KEYS).toHaveLength(2)
    for (const wrong of ['no key', pemOf('P-384'), `${keys}${pemOf('P-384')}`, keys.replaceAll('A', '*')])
      expect(mistakesOf({ LEAK_REPORT_PUBLIC_KEYS: wrong })).toEqual([
        '  - LEAK_REPORT_PUBLIC_KEYS must be ECDSA P-256 public keys in PEM format: -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----.',
      ])
  })

  test('no error contains a secret', () => {
    expect(mistakesOf({ COOKIE_SECRET: 'short-secret', DISCORD_CLIENT_ID: '1' }).join()).not.toContain('short-secret')
  })
})

test('.env.example lists every variable, and is itself a valid configuration', () => {
  const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
  const rows = text.split('\n').filter((row) => /^#?[A-Z_]+=/.test(row))
  const names = rows.map((row) => row.replace(/^#/, '').split('=', 1)[0] ?? '')
  const read = Object.keys(readEnv({})).filter((name) => /^[A-Z]/.test(name) && name !== 'OIDC_PROVIDERS')
  const others = ['HOST', 'PUBLIC_URL', 'MASTERLIST_PUBLIC_URL', ...OPTIONAL, ...oidcVariablesOf('NAME')]
  expect(names.toSorted()).toEqual([...new Set([...read, ...others])].toSorted())
  const active = rows.filter((row) => !row.startsWith('#')).map((row) => row.split(/=(.*)/s).slice(0, 2) as [string, string])
  expect(() => readEnv(Object.fromEntries(active))).not.toThrow()
  // A # without quotes begins a comment.
  const values = parseEnv(rows.map((row) => row.replace(/^#/, '')).join('\n'))
  expect(rows.filter((row) => !row.endsWith('=') && values[row.replace(/^#/, '').split('=', 1)[0] ?? ''] === '')).toEqual([])
})
