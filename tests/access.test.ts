/** The access matrix: every endpoint of the table as every kind of caller. What the table says is what happens. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Access, type Endpoint, partsOf } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { ban, buildServer, markLeaving, newName } from './factories.ts'
import { type Person, type TestApp, startApp } from './harness.ts'

const KINDS = ['anonymous', 'owner', 'stranger', 'banned', 'leaving', 'administrator', 'gameServer'] as const
type Kind = (typeof KINDS)[number]

const ADMITTED: Readonly<Record<Access, readonly Kind[]>> = {
  public: KINDS,
  session: ['owner', 'stranger', 'banned', 'leaving', 'administrator'],
  unbanned: ['owner', 'stranger', 'leaving', 'administrator'],
  member: ['owner', 'stranger', 'administrator'],
  admin: ['administrator'],
  credential: ['gameServer'],
}

/** Bodies that reach the rule behind the door; an endpoint with a body that is not here fails the last test. */
const BODIES: Readonly<Record<string, () => unknown>> = {
  'POST /api/auth/discord': () => ({ code: 'x', state: 'x' }),
  'POST /api/users/tokens': () => ({ name: newName() }),
  'PATCH /api/users/tokens/{id}': () => ({ description: 'Changed' }),
  'PATCH /api/users/tokens/{id}/reissue': () => ({ grace_seconds: 3600 }),
  'POST /announce': () => ({ port: 7788, playersCount: 1, maxPlayersCount: 10, passworded: false, version: '1', branch: 'release' }),
}

let app: TestApp
let callers: Record<Exclude<Kind, 'gameServer'>, Person>
let serverId: string
let credential: string

beforeAll(async () => {
  app = await startApp()
  const [owner, stranger, banned, leaving, administrator] = [
    await app.signIn('owner'),
    await app.signIn('stranger'),
    await app.signIn('banned'),
    await app.signIn('leaving'),
    await app.signIn('admin'),
  ]
  callers = { anonymous: app.anonymous, owner, stranger, banned, leaving, administrator }
  await ban(app, banned.id)
  await markLeaving(app, leaving.id)
  const made = await buildServer(owner)
  serverId = made.public_id
  credential = made.credential
})

async function ask(endpoint: Endpoint, kind: Kind): Promise<{ status: number; text: string }> {
  const { method, path } = partsOf(endpoint.route)
  const url = path.replaceAll('{id}', serverId)
  const body = BODIES[endpoint.route]?.()
  const init: RequestInit = {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(kind === 'gameServer' && { authorization: `Bearer ${credential}` }),
    },
    signal: AbortSignal.timeout(20_000),
  }
  const response =
    endpoint.listener === 'masterlist'
      ? await fetch(`${app.listUrl}${url}`, init)
      : await (kind === 'gameServer' ? app.anonymous : callers[kind]).fetch(url, init)
  // A stream never ends by itself; its status is what is asked here.
  if (endpoint.envelope === 'events' && response.status === 200) {
    await response.body?.cancel()
    return { status: 200, text: '' }
  }
  return { status: response.status, text: await response.text() }
}

/** What changes most goes last, so that every cell meets the same world. */
const ordered = [...(endpoints as readonly Endpoint[])].toSorted((a, b) => weight(a) - weight(b))

function weight({ route }: Endpoint): number {
  if (route.startsWith('DELETE')) return route.includes('announce') ? 4 : 5
  if (route === 'POST /api/auth/logout') return 9
  return route.startsWith('GET') ? 0 : route.includes('reissue') ? 3 : 1
}

describe.each(ordered.map((endpoint) => [endpoint.route, endpoint] as const))('%s', (route, endpoint) => {
  // The owner last among those let in: he may remove what the others must not even see.
  const kinds = [...KINDS].toSorted((a, b) => Number(a === 'owner') - Number(b === 'owner'))
  test.each(kinds)('as %s', async (kind) => {
    const { status, text } = await ask(endpoint, kind)
    expect(status, text).toBeLessThan(500)
    if (!ADMITTED[endpoint.access].includes(kind)) {
      expect(status, text).toBe(endpoint.access === 'credential' ? 401 : 403)
      expect(JSON.parse(text)).toMatchObject({ statusCode: status, isBusiness: false })
      return
    }
    const isOwners = route.includes('/api/users/tokens/{id}')
    if (isOwners && kind !== 'owner') expect(status, text).toBe(404)
    else if (route === 'POST /api/auth/discord') expect(status, text).toBe(400)
    else expect([200, 204], text).toContain(status)
  })
})

test('every endpoint with a body is walked with one', () => {
  const without = (endpoints as readonly Endpoint[]).filter(
    (endpoint) => endpoint.body !== undefined && BODIES[endpoint.route] === undefined,
  )
  expect(without.map((endpoint) => endpoint.route)).toEqual([])
})

test('every call of the document is bound, and every bound call is in the document', async () => {
  const document = (await (await app.anonymous.fetch('/api/openapi.json')).json()) as {
    openapi: string
    paths: Record<string, Record<string, unknown>>
  }
  expect(document.openapi).toBe('3.1.0')
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(routes.toSorted()).toEqual((endpoints as readonly Endpoint[]).map((endpoint) => endpoint.route).toSorted())
})
