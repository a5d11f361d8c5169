import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'

const PRODUCTION = {
  NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example', MASTERLIST_PUBLIC_URL: 'https://list.example', DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's',
  COOKIE_SECRET: '0123456789abcdef0123456789abcdef',
}

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
      PORT: 3000, MASTERLIST_PORT: 3001, HOST: '127.0.0.1', usesLocalIdentity: true, isProduction: false, ANNOUNCE_TTL_SECONDS: 75,
      ACCOUNT_DELETION_DELAY_HOURS: 24, RATE_LIMITS: true, DISCORD_AUTHORIZE_URL: 'https://discord.com/oauth2/authorize', DISCORD_API_URL: 'https://discord.com/api/v10',
    })
  })

  test('every mistake is named at once', () => {
    const mistakes = mistakesOf({ PORT: 'many', PUBLIC_URL: 'panel', ANNOUNCE_TTL_SECONDS: '0', RATE_LIMITS: 'maybe', DATABASE_URL: 'mysql://x' })
    expect(mistakes).toHaveLength(5)
  })

  test('a production start is refused with all reasons at once', () => {
    const mistakes = mistakesOf({ NODE_ENV: 'production', PUBLIC_URL: 'http://panel.example', RATE_LIMITS: 'off' }).join('\n')
    for (const name of ['DISCORD_CLIENT_ID', 'PUBLIC_URL', 'MASTERLIST_PUBLIC_URL', 'COOKIE_SECRET', 'RATE_LIMITS']) expect(mistakes).toContain(name)
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

  test('a mistake never repeats a secret', () => {
    expect(mistakesOf({ COOKIE_SECRET: 'short-secret', DISCORD_CLIENT_ID: '1' }).join()).not.toContain('short-secret')
  })
})
