/** Consequences of unanswered probes for the list, the panel and announces. */
import { type Server, createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import * as about from '#contract/public-site/about.ts'
import * as protection from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import type { AnnounceReply } from '#contract/masterlist/masterlist.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { type TestUser, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

const FIRST_MS = 11_000
const RETRY_MS = 67_000
const variablesFor = (mode: string) => ({ REACHABILITY: mode, REACHABILITY_PRIVATE: 'on', ANNOUNCE_TTL_SECONDS: '86400' })

let peer: { port: number; count: () => number; isAnswering: boolean; close: () => Promise<void> } | undefined

afterEach(async () => {
  await peer?.close()
  peer = undefined
})

/** A game server's listener that answers probes as docs/api.md describes, or with 404. */
async function listen() {
  let count = 0
  const listening = createServer((request, reply) => {
    count += 1
    if (!listener.isAnswering) reply.writeHead(404)
    reply.end(listener.isAnswering ? request.url?.split('/').at(-1) : '')
  })
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve)
  })
  const listener = { port: portOf(listening), count: () => count, isAnswering: true, close: () => closing(listening) }
  peer = listener
  return listener
}

const portOf = (server: Server) => (server.address() as { port: number }).port
const closing = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
  })

/** Advances the clock and waits for this total number of probes. */
async function advanceUntilProbes(app: TestApp, listener: { count: () => number }, count: number, ms: number): Promise<void> {
  app.clock.advance(ms)
  await expect.poll(listener.count, { interval: 20 }).toBe(count)
  await settle(10)
}

/** Sleeps in short steps, so that pending I/O and ticks run in between, even on a busy machine. */
async function settle(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await sleep(10)
}

async function setUp(mode: string) {
  const app = await startApp(variablesFor(mode))
  onTestFinished(() => app.close())
  const [owner, admin, listener] = [await app.newUser(), await app.signIn('admin'), await listen()]
  const server = await buildServer(owner)
  const send = () => announce(app, server.credential, { port: listener.port })
  expect((await send()).status).toBe(200)
  // The list publishes a server's changes at most once a second, and only then the check learns of it.
  app.clock.advance(1000)
  await settle(20)
  return { app, owner, admin, listener, server, send }
}

const issuesOf = async (reader: TestUser, owner: SignedInUser) =>
  (await reader.call(protection.issuesOfUser, { params: { userId: owner.id } })).data
const openOf = async (owner: SignedInUser) => (await issuesOf(owner, owner)).filter((issue) => issue.status === 'OPEN')

async function isListed(app: TestApp, publicId: string): Promise<boolean> {
  const list = (await (await fetch(`${app.listUrl}/servers`)).json()) as { publicId: string }[]
  return list.some((row) => row.publicId === publicId)
}

/** Lets three consecutive probes fail. */
async function failThreeProbes(app: TestApp, listener: { isAnswering: boolean; count: () => number }): Promise<void> {
  listener.isAnswering = false
  for (const [at, ms] of [FIRST_MS, RETRY_MS, RETRY_MS].entries()) await advanceUntilProbes(app, listener, at + 1, ms)
}

describe('a server that does not answer probes', () => {
  test('stays listed in warn mode, and its owner sees an issue and a notice', async () => {
    const { app, owner, admin, listener, server, send } = await setUp('warn')
    expect((await app.anonymous.call(about.about)).data.checks_reachability).toBe(true)
    await failThreeProbes(app, listener)
    await expect.poll(() => openOf(owner)).toHaveLength(1)
    const [issue] = await openOf(owner)
    expect(issue).toMatchObject({
      kind: 'UNREACHABLE',
      severity: 'LOW',
      consequence: 'NOTICE',
      occurrences: 3,
      server: { public_id: server.public_id },
      summary: `The server does not answer the list's probes at 127.0.0.1:${listener.port}.`,
    })
    expect(issue?.evidence.items).toHaveLength(3)
    // Not masked, because it is the address of the owner's own server.
    for (const { observed, expected, address } of issue?.evidence.items ?? [])
      expect([observed, expected, address]).toEqual([
        'The reply has the status 404 instead of 200.',
        'The status 200, with the probe token as the body.',
        '127.0.0.1',
      ])
    expect(await isListed(app, server.public_id)).toBe(true)
    await expect
      .poll(async () => ((await (await send()).json()) as AnnounceReply).notices.map((notice) => notice.code))
      .toEqual(['UNREACHABLE'])
    listener.isAnswering = true
    await advanceUntilProbes(app, listener, 4, RETRY_MS)
    await expect.poll(() => openOf(owner)).toEqual([])
    expect((await issuesOf(admin, owner)).map((old) => old.status)).toEqual(['RESOLVED'])
    await expect.poll(async () => ((await (await send()).json()) as AnnounceReply).notices).toEqual([])
  })

  test('is unlisted in require mode after its third failure, until it answers', async () => {
    const { app, owner, listener, server } = await setUp('require')
    await expect.poll(() => isListed(app, server.public_id)).toBe(true)
    listener.isAnswering = false
    await advanceUntilProbes(app, listener, 1, FIRST_MS)
    await advanceUntilProbes(app, listener, 2, RETRY_MS)
    expect(await isListed(app, server.public_id)).toBe(true)
    await advanceUntilProbes(app, listener, 3, RETRY_MS)
    await expect.poll(() => isListed(app, server.public_id)).toBe(false)
    expect(await openOf(owner)).toMatchObject([{ kind: 'UNREACHABLE', consequence: 'UNLISTED' }])
    const { data } = await owner.call(servers.get, { params: { id: server.public_id } })
    expect(data.status).toBe('online')
    expect(data.listing.listed).toBe(false)
    // Its own page and direct connections still work.
    expect((await fetch(`${app.listUrl}/servers/${server.public_id}`)).status).toBe(200)
    listener.isAnswering = true
    await advanceUntilProbes(app, listener, 4, RETRY_MS)
    await expect.poll(() => isListed(app, server.public_id)).toBe(true)
    expect(await openOf(owner)).toEqual([])
  })

  test('stays unlisted across a restart until its first answer', async () => {
    const { app, owner, listener, server } = await setUp('require')
    await failThreeProbes(app, listener)
    await expect.poll(() => isListed(app, server.public_id)).toBe(false)
    await app.restart()
    expect(await isListed(app, server.public_id)).toBe(false)
    listener.isAnswering = true
    await advanceUntilProbes(app, listener, 4, FIRST_MS)
    await expect.poll(() => isListed(app, server.public_id)).toBe(true)
    expect(await openOf(owner)).toEqual([])
  })
})

test('switching the check off resolves its issues', async () => {
  const app = await startApp()
  const owner = await app.newUser()
  const server = await buildServer(owner)
  await raiseIssue(app, owner, { kind: 'UNREACHABLE', publicId: server.public_id, consequence: 'UNLISTED' })
  await raiseIssue(app, owner, { kind: 'ADDRESS_MISMATCH', publicId: server.public_id })
  await app.restart()
  await expect.poll(async () => (await openOf(owner)).map((issue) => issue.kind)).toEqual(['ADDRESS_MISMATCH'])
})
