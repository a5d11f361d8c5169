/** Two programs on one database are one: what holds on the one holds on the other. With real programs: tests/cluster/. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import * as servers from '#contract/servers.ts'
import { banUser } from '#contract/users-admin.ts'
import { changeAdminServer } from '#contract/servers-admin.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { buildServer, grant, newName, setTier } from './factories.ts'
import { issuesOf } from './findings.ts'
import { type SignedIn, type TestApp, type TestNode, startApp } from './harness.ts'
import { type StreamEvent, listen } from './listen.ts'
import { announceFrom } from './list/send.ts'
import { until } from './program.ts'

let app: TestApp
let other: TestNode
let admin: SignedIn

beforeAll(async () => {
  app = await startApp({}, { isShared: true })
  other = await app.addNode()
  admin = await app.signIn('admin')
  await know(app, other)
})

/** Until each has heard of the other. */
async function know(...nodes: readonly { readonly panelUrl: string }[]): Promise<void> {
  for (const node of nodes) await until(async () => (await metric(node, 'muster_nodes')) === nodes.length)
}

async function metric(node: { readonly panelUrl: string }, name: string): Promise<number> {
  const text = await (await fetch(`${node.panelUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

const tells = (what: string) => (one: StreamEvent) => one.event === 'account' && (one.data['changed'] as string[]).includes(what)

describe('limits', () => {
  test('of a person are one limit over both nodes', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' }, { isShared: true })
    const second = await limited.addNode()
    const alice = await limited.signIn('alice')
    await setTier(limited, alice.id, 'DIAMOND_ALTRUIST')
    await know(limited, second)
    const statuses: number[] = []
    for (let count = 0; count < 26; count += 1) {
      const there = count % 2 === 0 ? alice : alice.at(second)
      statuses.push((await there.call(servers.create, { body: { name: newName() } })).status)
    }
    const made = statuses.filter((status) => status === 200).length
    // What is said is on its way for a moment.
    expect(made).toBeGreaterThanOrEqual(19)
    expect(made).toBeLessThanOrEqual(21)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  test('of announces are one limit over both nodes', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' }, { isShared: true })
    const second = await limited.addNode()
    const owner = await limited.someone()
    const { credential } = await buildServer(owner)
    await know(limited, second)
    expect((await announceFrom(limited, credential)).status).toBe(200)
    expect((await announceFrom(second, credential)).status).toBe(200)
    // Full again on both, so that the count below is of one burst.
    limited.clock.advance(20_000)
    const statuses: number[] = []
    const announceTo = async (node: Pick<TestApp, 'listUrl'>) => statuses.push((await announceFrom(node, credential)).status)
    for (let count = 0; count < 10; count += 1) await announceTo(limited)
    // What is said is heard in order, and these are answered once the other one has heard of them.
    for (let count = 0; count < 2; count += 1) await buildServer(owner)
    for (let count = 0; count < 10; count += 1) await announceTo(second)
    const accepted = statuses.filter((status) => status === 200).length
    expect(accepted).toBeGreaterThanOrEqual(9)
    expect(accepted).toBeLessThanOrEqual(13)
  })
})

describe('open panels', () => {
  test('hear on one node what was changed on the other', async () => {
    const person = await app.someone()
    const stream = await listen(person.at(other))
    await buildServer(person)
    expect((await stream.until(tells('servers'))).data).toHaveProperty('changed')
    stream.close()
  })

  test('of a manager publish the granted servers to the other node', async () => {
    const [owner, manager] = [await app.someone(), await app.someone()]
    const server = await buildServer(owner)
    const stream = await listen(manager.at(other))
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    await stream.until(tells('servers'))
    await owner.call(servers.change, { params: { id: server.public_id }, body: { description: 'Seen elsewhere' } })
    expect((await stream.until((one) => one.event === 'managed_server')).data).toMatchObject({ public_id: server.public_id })
    stream.close()
  })

  test('end on the other node where their person is banned, or logs out', async () => {
    const [banned, leaving] = [await app.someone(), await app.someone()]
    const streams = [await listen(banned.at(other)), await listen(leaving.at(other))] as const
    await admin.call(banUser, { params: { id: banned.id }, body: { banned: true } })
    expect((await leaving.call(logOut)).status).toBe(204)
    await expect.poll(() => streams.map((stream) => stream.hasEnded()), { interval: 10 }).toEqual([true, true])
  })
})

test('a name that imitates is found once, on the node where it was taken', async () => {
  const [famous, imitator] = [await app.someone(), await app.someone()]
  const original = await buildServer(famous, { name: 'Aurora Heights Racing' })
  await admin.call(changeAdminServer, { params: { id: original.public_id }, body: { verified: true } })
  const made = await buildServer(imitator.at(other))
  const name = 'Aurora Heights Racing Official'
  expect((await imitator.at(other).call(servers.change, { params: { id: made.public_id }, body: { name } })).status).toBe(200)
  const occurrences = async () => (await issuesOf(imitator)).map((issue) => [issue.kind, issue.occurrences])
  await expect.poll(occurrences, { interval: 50 }).toEqual([['IMPERSONATION', 1]])
  // Longer than findings wait to be written, so that one of the other node would be there.
  await sleep(1200)
  expect(await occurrences()).toEqual([['IMPERSONATION', 1]])
})

describe('what only one node does', () => {
  test('is done by exactly one, and by the other as soon as that one has stopped', async () => {
    const first = await startApp({}, { isShared: true })
    const second = await first.addNode()
    expect([await metric(first, 'muster_lease_held'), await metric(second, 'muster_lease_held')]).toEqual([1, 0])
    await second.close()
    const third = await first.addNode()
    expect([await metric(first, 'muster_lease_held'), await metric(third, 'muster_lease_held')]).toEqual([1, 0])
    await first.restart(async () => {
      await expect.poll(() => metric(third, 'muster_lease_held'), { interval: 100 }).toBe(1)
    })
    expect(await metric(first, 'muster_lease_held')).toBe(0)
  })

  test('is done by the other when that one is cut off, and never by both', async () => {
    const wire = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
    const first = await startApp({}, { isShared: true, reach: wire.connection })
    const second = await first.addNode()
    const held = async () => [await metric(first, 'muster_lease_held'), await metric(second, 'muster_lease_held')]
    expect(await held()).toEqual([1, 0])
    wire.cut()
    // A lease lasts fifteen seconds, and its holder stops before.
    const seen = new Set<string>()
    await until(async () => seen.add(String(await held())).has('0,1'), 25_000)
    expect([...seen]).toEqual(['1,0', '0,0', '0,1'])
    wire.restore()
    await know(first, second)
    expect(await held()).toEqual([0, 1])
    first.takeLogs()
    await first.close()
    wire.close()
  })

  test('a game server is asked by one whether it answers', async () => {
    const asked: string[] = []
    const game = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end(request.url?.split('/').at(-1))
    }).listen(0, '127.0.0.1')
    await once(game, 'listening')
    const checked = await startApp({ REACHABILITY: 'warn', REACHABILITY_PRIVATE: 'on' }, { isShared: true })
    const second = await checked.addNode()
    await know(checked, second)
    const { credential } = await buildServer(await checked.someone())
    expect((await announceFrom(second, credential, { port: (game.address() as AddressInfo).port })).status).toBe(200)
    // In steps: a lease is renewed by the same clock.
    for (let step = 0; step < 3; step += 1) {
      await sleep(1300)
      checked.clock.advance(4000)
    }
    await expect.poll(() => asked.length, { interval: 50 }).toBe(1)
    await sleep(1200)
    expect(asked).toHaveLength(1)
    game.close()
  })
})

test('what was revoked while a node was cut off is refused there once it is back', async () => {
  const wire = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  onTestFinished(() => wire.close())
  const near = await startApp({}, { isShared: true })
  const far = await near.addNode({ reach: wire.connection })
  await know(near, far)
  const person = await near.someone()
  const server = await buildServer(person)
  expect((await announceFrom(far, server.credential)).status).toBe(200)
  wire.cut()
  expect((await person.call(servers.reissue, { params: { id: server.public_id } })).status).toBe(200)
  wire.restore()
  await expect.poll(async () => (await announceFrom(far, server.credential)).status).toBe(401)
  await far.close()
  near.takeLogs()
})
