/** Providers of OpenID Connect in the environment. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEnv } from './env.ts'

const provider = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  [`OIDC_${name}_ISSUER`]: `https://${name.toLowerCase()}.example`,
  [`OIDC_${name}_CLIENT_ID`]: 'muster',
  [`OIDC_${name}_CLIENT_SECRET`]: 'the-secret',
  ...Object.fromEntries(Object.entries(more).map(([suffix, value]) => [`OIDC_${name}_${suffix}`, value])),
})

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://panel.example',
  MASTERLIST_PUBLIC_URL: 'https://list.example',
  COOKIE_SECRET: '0123456789abcdef0123456789abcdef',
}

function mistakesOf(variables: Readonly<Record<string, string>>): string[] {
  try {
    readEnv(variables)
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.replace('  - ', ''))
  }
  return []
}

test('reads several at once, by their labels, and production needs no Discord beside one', () => {
  const more = { LABEL: 'Acme', GROUPS_CLAIM: 'groups', GROUP_ROLES: '/staff=ADMIN, a=b = ADMIN ,' }
  const { OIDC_PROVIDERS: providers } = readEnv({ ...PRODUCTION, ...provider('ZITADEL', more), ...provider('KEYCLOAK2') })
  expect(providers).toEqual([
    {
      id: 'zitadel',
      issuer: 'https://zitadel.example',
      clientId: 'muster',
      clientSecret: 'the-secret',
      label: 'Acme',
      groupsClaim: 'groups',
      groupRoles: [
        { group: '/staff', role: 'ADMIN' },
        { group: 'a=b', role: 'ADMIN' },
      ],
    },
    expect.objectContaining({ id: 'keycloak2', label: 'Keycloak2', groupsClaim: undefined, groupRoles: [] }),
  ])
  expect(readEnv({}).OIDC_PROVIDERS).toEqual([])
})

test('an issuer is the same with and without the slash that URLs add', () => {
  const issuerOf = (issuer: string) => readEnv(provider('A', { ISSUER: issuer })).OIDC_PROVIDERS[0]?.issuer
  expect(issuerOf('https://ID.example/')).toBe('https://id.example')
  expect(issuerOf('https://id.example/realms/x')).toBe('https://id.example/realms/x')
  expect(issuerOf('https://id.example/o/x/')).toBe('https://id.example/o/x/')
  expect(issuerOf('http://127.0.0.1:9000')).toBe('http://127.0.0.1:9000')
})

test('each variable can come from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-env-'))
  const file = join(folder, 'secret')
  writeFileSync(file, 'from the file\n')
  const { OIDC_A_CLIENT_SECRET: _, ...rest } = provider('A')
  expect(readEnv({ ...rest, OIDC_A_CLIENT_SECRET_FILE: file }).OIDC_PROVIDERS[0]?.clientSecret).toBe('from the file')
  expect(mistakesOf({ ...provider('A'), OIDC_A_CLIENT_SECRET_FILE: file })).toHaveLength(1)
  rmSync(folder, { recursive: true })
})

test('reports every mistake at once, with those of other variables', () => {
  const mistakes = mistakesOf({
    ...PRODUCTION,
    PORT: 'many',
    OIDC_A_ISSUER: 'http://a.example',
    OIDC_A_GROUP_ROLES: 'staff=OWNER',
    ...provider('DISCORD'),
    OIDC_B_LABEL: 'only a label',
  })
  expect(mistakes).toEqual([
    'OIDC_DISCORD_ISSUER uses a name that is taken: DISCORD. Choose another one, such as OIDC_MAIN_ISSUER.',
    expect.stringMatching(/^PORT /),
    'OIDC_A_CLIENT_ID must be set, as every provider needs it.',
    'OIDC_A_CLIENT_SECRET must be set, as every provider needs it.',
    'OIDC_A_GROUP_ROLES must be comma-separated pairs such as "admins=ADMIN", each ending in one of ADMIN.',
    'OIDC_A_ISSUER must begin with https:// in production.',
    'OIDC_A_GROUPS_CLAIM must be set if OIDC_A_GROUP_ROLES is set.',
    'OIDC_B_ISSUER must be set, as every provider needs it.',
    'OIDC_B_CLIENT_ID must be set, as every provider needs it.',
    'OIDC_B_CLIENT_SECRET must be set, as every provider needs it.',
  ])
})

test.each(['DISCORD', 'LOCAL', 'RECOVERY', 'MY_ID', 'my', '2FA', 'X'.repeat(33)])('%s is no name of a provider', (name) => {
  const mistakes = mistakesOf(provider(name))
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]).toContain(`OIDC_${name}_ISSUER`)
})

test.each([
  ['ISSUER', 'id.example'],
  ['ISSUER', 'ftp://id.example'],
  ['ISSUER', 'https://id.example/?a=b'],
  ['ISSUER', 'https://me@id.example'],
  ['ISSUER', 'https://id.example/.well-known/openid-configuration'],
  ['LABEL', 'x'.repeat(33)],
  ['LABEL', 'a\u202Eb'],
  ['GROUP_ROLES', 'staff'],
  ['GROUP_ROLES', '=ADMIN'],
])('%s rejects %j', (suffix, value) => {
  const mistakes = mistakesOf(provider('A', { GROUPS_CLAIM: 'groups', [suffix]: value }))
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]).toContain(`OIDC_A_${suffix}`)
})

test('two providers of one issuer are rejected, and variables that only look alike are ignored', () => {
  expect(mistakesOf({ ...provider('A'), ...provider('B', { ISSUER: 'https://a.example/' }) })).toEqual([
    'OIDC_B_ISSUER is the same as OIDC_A_ISSUER. Set up each issuer once.',
  ])
  // Kubernetes sets such ones for a service of this name.
  expect(readEnv({ OIDC_SERVICE_HOST: '10.0.0.1', OIDC_PORT: 'tcp://10.0.0.1:80', OIDC_EMPTY_ISSUER: ' ' }).OIDC_PROVIDERS).toEqual([])
})

test('no mistake contains a secret', () => {
  expect(mistakesOf(provider('A', { ISSUER: 'nothing' })).join()).not.toContain('the-secret')
})
