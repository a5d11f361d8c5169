/** The access matrix: calls every endpoint as every kind of caller and compares the result with the contract. */
import { beforeAll, expect, test } from 'vitest'
import { type Access, type Endpoint, isOnMasterList, parseRoute } from '#contract/api/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { PERMISSION_KEYS } from '#contract/servers/permissions.ts'
import { SCOPE_KEYS, type Scope } from '#contract/users/scopes.ts'
import { changeLimits } from '#contract/users/users-admin.ts'
import { ACCESS_CASES, type CaseInput, KINDS, type Kind, MEMBERS, type World } from './access-cases.ts'
import { ban, buildApiKey, buildServer, grant, scheduleDeletion } from '#tests/factories.ts'
import { type TestUser, startApp } from '#tests/harness.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'

const ADMITTED: Readonly<Record<Access, readonly Kind[]>> = {
  public: KINDS,
  session: [...MEMBERS, 'banned', 'leaving'],
  unbanned: [...MEMBERS, 'leaving'],
  member: MEMBERS,
  admin: ['administrator'],
  credential: ['gameServer'],
}

const SUCCESS = [200, 204]

/** The message for a kind that is not admitted. All other kinds get RESTRICTED. */
const REJECTIONS: Readonly<Partial<Record<Kind, string>>> = {
  anonymous: 'You are not signed in.',
  gameServer: 'This API key is unknown. Check that you copied all of it, from msk_ to the end.',
  banned: 'Your account is banned.',
  leaving: 'Your account is set for deletion. Cancel the deletion first.',
}
const RESTRICTED = 'Restricted access. You must have the ADMIN benefit to access this page.'

let world: World
/** For the walk with API keys: destructive calls would disturb the walk with sessions. */
let worldOfKeys: World
/** Programs of the owner, each with a key of one scope, and each with all scopes but one. */
const programs = new Map<Scope, TestUser>()
const programsWithout = new Map<Scope, TestUser>()
let allScopes: TestUser

async function buildWorld(): Promise<World> {
  const app = await startApp(signingKeys().variables)
  const users = {} as World['users']
  for (const kind of KINDS) {
    if (kind === 'gameServer') continue
    // In the local provider, the user `admin` is an administrator.
    users[kind] = kind === 'anonymous' ? app.anonymous : await app.signIn(kind === 'administrator' ? 'admin' : kind.toLowerCase())
  }
  const bystander = await app.signIn('bystander')
  await ban(app, users.banned.id ?? '')
  await scheduleDeletion(app, users.leaving.id ?? '')
  const limits = { max_masterlist_tokens: 500, max_managers: 20 }
  await users.administrator.call(changeLimits, { params: { id: users.owner.id ?? '' }, body: limits })
  const managers = [users.editor, users.designer, users.reissuer, users.resetter]
  for (const [index, permission] of PERMISSION_KEYS.entries()) await grant(users.owner, managers[index]?.id ?? '', [permission])
  return { app, users, bystander, onlooker: await app.signIn('onlooker'), server: await buildServer(users.owner) }
}

beforeAll(async () => {
  world = await buildWorld()
  worldOfKeys = await buildWorld()
  const { app, users } = worldOfKeys
  const program = async (...scopes: Scope[]) => app.withKey((await buildApiKey(users.owner, ...scopes)).key)
  for (const scope of SCOPE_KEYS) {
    programs.set(scope, await program(scope))
    programsWithout.set(scope, await program(...SCOPE_KEYS.filter((each) => each !== scope)))
  }
  allScopes = await program(...SCOPE_KEYS)
})

const prepare = async ({ route }: Endpoint, current: World): Promise<CaseInput> => (await ACCESS_CASES[route]?.prepare?.(current)) ?? {}

/** @param program calls instead of the session of this kind, in the world of the keys. */
async function callAs(
  endpoint: Endpoint,
  kind: Kind,
  { params = {}, body }: CaseInput,
  program?: TestUser,
): Promise<{ status: number; text: string }> {
  const { method, path } = parseRoute(endpoint.route)
  const current = program === undefined ? world : worldOfKeys
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? current.server.public_id)
  const init: RequestInit = {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(kind === 'gameServer' && { authorization: `Bearer ${current.server.credential}` }),
    },
    signal: AbortSignal.timeout(20_000),
  }
  const response = isOnMasterList(endpoint)
    ? await fetch(`${current.app.listUrl}${url}`, init)
    : await (program ?? (kind === 'gameServer' ? current.app.anonymous : current.users[kind])).fetch(url, init)
  // A stream does not end. Only its status matters here.
  if (endpoint.envelope === 'events' && response.status === 200) {
    await response.body?.cancel()
    return { status: 200, text: '' }
  }
  const text = await response.text()
  await ACCESS_CASES[endpoint.route]?.restore?.(current, kind)
  return { status: response.status, text }
}

/** Destructive calls come last, so that every cell starts from the same state. */
const ordered = [...(endpoints as readonly Endpoint[])].toSorted((a, b) => weight(a) - weight(b))

function weight({ route }: Endpoint): number {
  if (route.startsWith('DELETE')) return route.includes('announce') ? 4 : 5
  if (route === 'POST /api/auth/logout') return 9
  return route.startsWith('GET') ? 0 : route.includes('reissue') ? 3 : 1
}

test('every endpoint with a body has one in its access case', async () => {
  const without = []
  for (const endpoint of endpoints as readonly Endpoint[]) {
    if (endpoint.body === undefined) continue
    if ((await prepare(endpoint, world)).body === undefined) without.push(endpoint.route)
  }
  expect(without).toEqual([])
})

/** Checks the rejection of a kind that is not admitted, and the status of one that is. */
function expectAccess({ route, access }: Endpoint, kind: Kind, status: number, text: string): void {
  const where = `as ${kind}: ${text.slice(0, 500)}`
  expect.soft(status, where).toBeLessThan(500)
  if (ADMITTED[access].includes(kind)) {
    const expected = ACCESS_CASES[route]?.expected?.(kind) ?? 'success'
    if (expected === 'success') expect.soft(SUCCESS, where).toContain(status)
    else expect.soft(status, where).toBe(expected)
    return
  }
  const rejected = access === 'credential' || kind === 'gameServer' ? 401 : 403
  expect.soft(status, where).toBe(rejected)
  const expected = access === 'credential' ? {} : { errors: [REJECTIONS[kind] ?? RESTRICTED] }
  expect.soft(jsonOf(text), where).toMatchObject({ statusCode: status, isBusiness: false, ...expected })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The owner comes last, because the owner may delete what the others must not see. */
const callers = [...KINDS].toSorted((a, b) => Number(a === 'owner') - Number(b === 'owner'))

const ofMembers = ordered.filter(({ access }) => access !== 'public' && access !== 'credential')

test.each(ofMembers.map((endpoint) => [endpoint.route, endpoint] as const))(
  '%s admits exactly the API keys that have its scope',
  async (route, endpoint) => {
    expect.hasAssertions()
    const closed = 'API keys cannot make this call. Sign in to the panel instead.'
    // Rejected calls leave it as it is for the last one.
    const input = await prepare(endpoint, worldOfKeys)
    for (const scope of SCOPE_KEYS) {
      const program = programs.get(scope)
      if (scope === endpoint.scope) continue
      const { status, text } = await callAs(endpoint, 'owner', input, program)
      expect.soft(status, `${scope}: ${text.slice(0, 300)}`).toBe(403)
      const lacking = `This API key lacks the scope ${endpoint.scope}. Create a key that has it.`
      expect.soft(jsonOf(text)).toMatchObject({ errors: [endpoint.scope === undefined ? closed : lacking] })
    }
    if (endpoint.scope === undefined) {
      expect.soft((await callAs(endpoint, 'owner', input, allScopes)).status).toBe(403)
      return
    }
    expect.soft((await callAs(endpoint, 'owner', input, programsWithout.get(endpoint.scope))).status).toBe(403)
    const { status, text } = await callAs(endpoint, 'owner', input, programs.get(endpoint.scope))
    const expected = ACCESS_CASES[route]?.expected?.('owner') ?? 'success'
    if (expected === 'success') expect.soft(SUCCESS, text.slice(0, 500)).toContain(status)
    else expect.soft(status, text.slice(0, 500)).toBe(expected)
  },
)

test.each(ordered.map((endpoint) => [endpoint.route, endpoint] as const))(
  '%s admits and rejects every kind of caller as the contract says',
  async (_route, endpoint) => {
    expect.hasAssertions()
    let input: CaseInput | undefined
    for (const kind of callers) {
      input ??= await prepare(endpoint, world)
      const { status, text } = await callAs(endpoint, kind, input)
      expectAccess(endpoint, kind, status, text)
      // A rejected call leaves it for the next.
      if (ADMITTED[endpoint.access].includes(kind)) input = undefined
    }
  },
)

test('API keys cannot manage keys, sessions, ways to sign in, preferences or notifications, delete or export the account, read its log, report servers, or administer', () => {
  const closed = ofMembers.filter(({ scope, access }) => scope === undefined && access !== 'admin').map(({ route }) => route)
  expect(closed.toSorted()).toEqual([
    'DELETE /api/users/api-keys/{id}',
    'DELETE /api/users/identities/{id}',
    'DELETE /api/users/sessions',
    'DELETE /api/users/sessions/{id}',
    'GET /api/auth/me/export',
    'GET /api/downloads',
    'GET /api/users/activity',
    'GET /api/users/api-keys',
    'GET /api/users/identities',
    'GET /api/users/notifications',
    'GET /api/users/preferences',
    'GET /api/users/sessions',
    'PATCH /api/users/preferences',
    'POST /api/auth/logout',
    'POST /api/auth/me/delete',
    'POST /api/auth/me/delete/cancel',
    'POST /api/public/servers/{id}/reports',
    'POST /api/users/api-keys',
    'POST /api/users/identities',
    'POST /api/users/notifications/read',
  ])
  expect(ofMembers.filter(({ scope, access }) => scope !== undefined && access === 'admin')).toEqual([])
  expect((endpoints as readonly Endpoint[]).filter(({ scope, access }) => scope !== undefined && access === 'public')).toEqual([])
})

test('besides public calls, a banned user may only read their account and log out, a leaving user may also cancel, and a signed-out user has none', () => {
  const open = (kind: Kind) =>
    (endpoints as readonly Endpoint[])
      .filter(({ access }) => access !== 'public' && ADMITTED[access].includes(kind))
      .map(({ route }) => route)
      .toSorted()
  expect(open('banned')).toEqual(['GET /api/auth/me', 'POST /api/auth/logout'])
  expect(open('leaving')).toEqual(['GET /api/auth/me', 'POST /api/auth/logout', 'POST /api/auth/me/delete/cancel'])
  expect(open('anonymous')).toEqual([])
})

test('exactly the calls under /api/admin require an administrator', () => {
  const all = (endpoints as readonly Endpoint[]).filter(({ route }) => route.includes(' /api/admin/'))
  expect(all).not.toEqual([])
  expect(all.filter(({ access }) => access !== 'admin')).toEqual([])
  expect((endpoints as readonly Endpoint[]).filter(({ access }) => access === 'admin')).toEqual(all)
})

test('the OpenAPI document lists exactly the endpoints of the contract', async () => {
  const document = (await (await world.app.anonymous.fetch('/api/openapi.json')).json()) as {
    openapi: string
    paths: Record<string, Record<string, unknown>>
  }
  expect(document.openapi).toBe('3.1.0')
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((key) => key !== 'servers')
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(routes.toSorted()).toEqual((endpoints as readonly Endpoint[]).map((endpoint) => endpoint.route).toSorted())
})
