/** A server that must not be seen leaves no trace on any public path, right after the change and in no cached copy. */
import { beforeAll, expect, test } from 'vitest'
import { changeIssue } from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { banUser } from '#contract/users/users-admin.ts'
import { buildServer, setTier } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readList, send } from '#tests/list/send.ts'
import { textOf } from '#tests/public-pages.ts'

const DAY_MS = 86_400_000
const LETTERS = 'abcdefghjkpq'
/** In the name of every server, for a search. The rest of the name shows where it appears. */
const FINDABLE = 'Zephyr'

let app: TestApp
let admin: SignedInUser

interface Case {
  readonly owner: SignedInUser
  readonly server: ServerWithCredential
  readonly vanity: string
  /** The part of the name that no request names. */
  readonly secret: string
}

type Visibility = 'listed' | 'own page' | 'nowhere'

/** What makes a server leave, and where it is afterwards. `never announced` changes nothing. */
const STATES: readonly [name: string, visibility: Visibility, change: (context: Case) => Promise<unknown>][] = [
  ['listed', 'listed', async () => {}],
  ['unranked', 'listed', (context) => enforce(context, 'UNRANKED')],
  ['offline for a day', 'own page', (context) => leaveFor(context, DAY_MS)],
  ['hidden', 'nowhere', ({ owner, server }) => owner.call(servers.change, { params: { id: server.public_id }, body: { visible: false } })],
  ['hidden while offline', 'nowhere', hideOffline],
  ['banned', 'nowhere', ({ server }) => admin.call(banServer, { params: { id: server.public_id }, body: { reason: 'Testing' } })],
  ['banned for a day', 'nowhere', banForADay],
  ['its owner banned', 'nowhere', ({ owner }) => admin.call(banUser, { params: { id: owner.id }, body: { banReason: 'Testing' } })],
  ['unlisted by protection', 'nowhere', (context) => enforce(context, 'UNLISTED')],
  ['in the bin', 'nowhere', ({ owner, server }) => owner.call(servers.remove, { params: { id: server.public_id } })],
  // Last, because sessions end in the meantime.
  ['offline for 31 days', 'nowhere', (context) => leaveFor(context, 31 * DAY_MS)],
]

async function isOnList({ public_id: id }: ServerWithCredential, query = ''): Promise<boolean> {
  return (await readList(app, query)).some(({ publicId }) => publicId === id)
}

async function leaveFor({ server }: Case, ms: number): Promise<void> {
  await send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${server.credential}` } })
  await expect.poll(() => isOnList(server)).toBe(false)
  app.clock.advance(ms)
}

async function hideOffline(context: Case): Promise<void> {
  await leaveFor(context, 60_000)
  // The page of a chosen server is built before it is hidden.
  const path = `/browse?ids=${context.server.public_id}`
  expect((await send(app.panelUrl + path)).text).toContain(context.secret)
  await context.owner.call(servers.change, { params: { id: context.server.public_id }, body: { visible: false } })
}

async function banForADay({ server }: Case): Promise<void> {
  const banned_until = new Date(app.clock.now() + DAY_MS).toISOString()
  await admin.call(banServer, { params: { id: server.public_id }, body: { banned_until } })
}

async function enforce({ owner, server }: Case, consequence: 'UNRANKED' | 'UNLISTED'): Promise<void> {
  const { id } = await raiseIssue(app, owner, { kind: 'ADDRESS_MISMATCH', publicId: server.public_id })
  expect((await admin.call(changeIssue, { params: { id }, body: { consequence } })).status).toBe(200)
}

/** Paths of the panel, or of the list with `list:`. `{id}` and `{vanity}` are of the server; others are the same for all. */
const QUERIES = [
  '',
  '?sort=name',
  '?sort=newest',
  '?sort=trending',
  '?page=2',
  '?language=en',
  '?region=eu-west',
  '?tag=Other',
  '?game_mode=Other',
  '?version=15.57',
  '?has_slots=1',
  '?no_password=1',
  '?verified=1',
  `?q=${FINDABLE}`,
  `?q=${FINDABLE}&sort=name`,
]
const BROWSE_PATHS = QUERIES.map((query) => `/browse${query}`)
const SERVER_PATHS = ['/s/{id}', '/s/{id}/embed', '/s/@{id}', '/s/{vanity}', '/s/@{vanity}', '/s/{vanity}/embed']
const IMAGE_PATHS = [
  '/s/{id}/og.png',
  '/s/{id}/qr.svg',
  '/s/{vanity}/qr.svg',
  'list:/servers/{id}/badge.svg',
  'list:/servers/{vanity}/badge.svg',
]
const PATHS = [...BROWSE_PATHS, '/browse?ids={id}', '/browse?ids={id},unknown&sort=name', ...SERVER_PATHS, ...IMAGE_PATHS, '/sitemap.xml']

const fill = (path: string, { server, vanity }: Case) => path.replace('{id}', server.public_id).replace('{vanity}', vanity)

const urlOf = (path: string) => (path.startsWith('list:') ? path.replace('list:', app.listUrl) : app.panelUrl + path)
/** Whether an unknown server's is 404. */
const isOfServer = (path: string) => path.includes('{') && !path.startsWith('/browse')

interface Copy {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

async function read(path: string, etag?: string): Promise<Copy> {
  const { status, headers, text } = await send(urlOf(path), { headers: etag === undefined ? {} : { 'if-none-match': etag } })
  const { date: _, 'x-request-id': _id, connection: _connection, 'keep-alive': _keepAlive, ...compared } = headers
  return { status, headers: compared, text }
}

/** Everything about the server that a reply contains, without what the request said. */
function tracesIn({ headers, text }: Copy, { server, vanity, secret }: Case): string[] {
  const all = `${JSON.stringify(headers)}\n${text}\n${textOf(text)}`
  return [secret, secret.toLowerCase(), server.public_id, vanity].filter((word) => all.includes(word))
}

async function buildCase(index: number): Promise<Case> {
  const owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  const letters = LETTERS.charAt(index).repeat(4)
  const [secret, vanity] = [`Quicksilver${letters}`, `vanity-${letters}`]
  const texts = {
    name: `${FINDABLE} ${secret}`,
    description: secret,
    game_mode: secret,
    tags: [secret],
    website: `https://${secret}.example/`,
  }
  const server = await buildServer(owner, { ...texts, vanity_url: vanity, region: 'eu-west' })
  return { owner, server, vanity, secret }
}

beforeAll(async () => {
  app = await startApp({}, { hasPages: true })
  admin = await app.signIn('admin')
})

test.each(STATES)('%s: %s', async (name, visibility, change) => {
  const context = await buildCase(STATES.findIndex(([each]) => each === name))
  const { server, secret } = context
  const paths = PATHS.map((path) => ({ path, filled: fill(path, context) }))
  const expectNoTrace = (path: string, copy: Copy) => {
    const echo = path.includes('?ids={id}') ? [server.public_id] : []
    expect([path, copy.status, tracesIn(copy, context)]).toEqual([path, isOfServer(path) ? 404 : 200, echo])
  }
  // Before its first announce.
  for (const { path, filled } of paths) expectNoTrace(path, await read(filled))
  expect((await announceFrom(app, server.credential)).status).toBe(200)
  await expect.poll(() => isOnList(server)).toBe(true)
  // Pages from before are too old to be shown.
  app.clock.advance(2000)
  const before = new Map<string, Copy>()
  for (const { path, filled } of paths) before.set(path, await read(filled))
  for (const path of ['/browse', `/browse?q=${FINDABLE}`, '/browse?ids={id}', '/s/{vanity}'])
    expect(before.get(path)?.text).toContain(secret)

  await change(context)
  for (const { path, filled } of paths) {
    const { etag } = before.get(path)?.headers ?? {}
    for (const copy of [await read(filled), await read(filled, String(etag))]) {
      const isSeen = visibility === 'listed' || (visibility === 'own page' && path.includes('{'))
      if (isSeen) expect([path, [200, 304].includes(copy.status)]).toEqual([path, true])
      // A copy without a trace is still valid.
      else if (copy.status !== 304 || tracesIn(before.get(path) ?? copy, context).length > 0) expectNoTrace(path, copy)
      if (!isSeen && isOfServer(path)) expect(copy).toEqual(await read(path.replace(/\{.*?\}/, 'unknown')))
    }
  }
  if (visibility !== 'nowhere') expect((await read(`/s/${server.public_id}`)).text).toContain(secret)
  // The list may be a second old.
  await expect.poll(() => isOnList(server)).toBe(visibility === 'listed')
  expect(await isOnList(server, `?ids=${server.public_id}`)).toBe(visibility === 'listed')
})
