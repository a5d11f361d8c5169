/** Two nodes on one database act as one. With separate processes: tests/cluster/. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { logOut } from '#contract/users/auth.ts'
import * as preferences from '#contract/users/preferences.ts'
import * as servers from '#contract/servers/servers.ts'
import * as sessions from '#contract/users/sessions.ts'
import { banUser } from '#contract/users/users-admin.ts'
import { changeAdminServer } from '#contract/servers/servers-admin.ts'
import { startFaultProxy } from '#tests/fault-proxy.ts'
import { buildServer, grant, newName, setTier } from '#tests/factories.ts'
import { issuesOf } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, type TestNode, startApp } from '#tests/harness.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'
import { announceFrom, send } from '#tests/list/send.ts'
import { until } from '#tests/program.ts'

let app: TestApp
let other: TestNode
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp({}, { isShared: true })
  other = await app.addNode()
  admin = await app.signIn('admin')
  await untilConnected(app, other)
})

/** Waits until every node sees all the others. */
async function untilConnected(...nodes: readonly { readonly panelUrl: string }[]): Promise<void> {
  for (const node of nodes) await until(async () => (await metric(node, 'muster_nodes')) === nodes.length)
}

async function metric(node: { readonly panelUrl: string }, name: string): Promise<number> {
  const text = await (await fetch(`${node.panelUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

const invalidates = (what: string) => (one: StreamEvent) => one.event === 'account' && (one.data['changed'] as string[]).includes(what)

describe('limits', () => {
  test('of a user are shared by both nodes', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' }, { isShared: true })
    const second = await limited.addNode()
    const alice = await limited.signIn('alice')
    await setTier(limited, alice.id, 'DIAMOND_ALTRUIST')
    await untilConnected(limited, second)
    const statuses: number[] = []
    for (let count = 0; count < 26; count += 1) {
      const user = count % 2 === 0 ? alice : alice.at(second)
      statuses.push((await user.call(servers.create, { body: { name: newName() } })).status)
    }
    const created = statuses.filter((status) => status === 200).length
    // Synchronization takes a moment.
    expect(created).toBeGreaterThanOrEqual(19)
    expect(created).toBeLessThanOrEqual(21)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  test('of announces are shared by both nodes', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' }, { isShared: true })
    const second = await limited.addNode()
    const owner = await limited.newUser()
    const { credential } = await buildServer(owner)
    await untilConnected(limited, second)
    expect((await announceFrom(limited, credential)).status).toBe(200)
    expect((await announceFrom(second, credential)).status).toBe(200)
    // Refill both, so that the count below starts with a full burst.
    limited.clock.advance(20_000)
    const statuses: number[] = []
    const announceTo = async (node: Pick<TestApp, 'listUrl'>) => statuses.push((await announceFrom(node, credential)).status)
    for (let count = 0; count < 10; count += 1) await announceTo(limited)
    // Bus messages arrive in order: after these calls, the other node has received the earlier ones.
    for (let count = 0; count < 2; count += 1) await buildServer(owner)
    for (let count = 0; count < 10; count += 1) await announceTo(second)
    const accepted = statuses.filter((status) => status === 200).length
    expect(accepted).toBeGreaterThanOrEqual(9)
    expect(accepted).toBeLessThanOrEqual(13)
  })
})

describe('open panels', () => {
  test('receive on one node what was changed on the other', async () => {
    const user = await app.newUser()
    const stream = await listen(user.at(other))
    await buildServer(user)
    expect((await stream.until(invalidates('servers'))).data).toHaveProperty('changed')
    stream.close()
  })

  test('of a manager receive changes of granted servers from the other node', async () => {
    const [owner, manager] = [await app.newUser(), await app.newUser()]
    const server = await buildServer(owner)
    const stream = await listen(manager.at(other))
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    await stream.until(invalidates('servers'))
    await owner.call(servers.change, { params: { id: server.public_id }, body: { description: 'Seen elsewhere' } })
    expect((await stream.until((one) => one.event === 'managed_server')).data).toMatchObject({ public_id: server.public_id })
    stream.close()
  })

  test('end on the other node when their user is banned or logs out', async () => {
    const [banned, leaving] = [await app.newUser(), await app.newUser()]
    const streams = [await listen(banned.at(other)), await listen(leaving.at(other))] as const
    await admin.call(banUser, { params: { id: banned.id }, body: { banned: true } })
    expect((await leaving.call(logOut)).status).toBe(204)
    await expect.poll(() => streams.map((stream) => stream.hasEnded()), { interval: 10 }).toEqual([true, true])
  })
})

test('a sign-in by the local provider may use another node at each step', async () => {
  // Behind a balancer, all nodes have one host name.
  const host = 'localhost'
  for (const [first, second, third] of [
    [app, other, app],
    [app, other, other],
    [app, app, other],
  ] as const) {
    const begun = await send(`${first.panelUrl}/api/auth/discord`, { headers: { host } })
    const { pathname, search } = new URL(`${begun.text}&username=alice`)
    const { headers: redirect } = await send(`${second.panelUrl}${pathname}${search}`, { headers: { host } })
    const { searchParams } = new URL(redirect.location ?? '')
    const cookie = begun.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
    const complete = () =>
      send(`${third.panelUrl}/api/auth/discord`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie, host },
        body: JSON.stringify({ code: searchParams.get('code'), state: searchParams.get('state') }),
      })
    expect((await complete()).status).toBe(204)
    expect((await complete()).status).toBe(400)
  }
})

describe('an ended session', () => {
  test('closes its streams on the other node within two seconds, and no other stream', async () => {
    const [user, lost] = [await app.signIn('ends_on_nodes'), await app.signIn('ends_on_nodes')]
    const streams = [await listen(lost.at(other)), await listen(user.at(other))] as const
    const { data } = await user.call(sessions.list)
    const id = data.find(({ current }) => !current)?.id ?? ''
    expect((await user.call(sessions.end, { params: { id } })).status).toBe(204)
    await expect.poll(streams[0].hasEnded, { interval: 10 }).toBe(true)
    expect((await lost.at(other).call(sessions.list)).status).toBe(403)
    await streams[1].until(invalidates('sessions'))
    expect(streams[1].hasEnded()).toBe(false)
    streams[1].close()
  })

  test('closes within two seconds too if it is ended with all others', async () => {
    const [user, ...lost] = [await app.signIn('ends_all'), await app.signIn('ends_all'), await app.signIn('ends_all')]
    const streams = await Promise.all(lost.map((each, index) => listen(index === 0 ? each : each.at(other))))
    expect((await user.call(sessions.endOthers)).status).toBe(204)
    await expect.poll(() => streams.map((stream) => stream.hasEnded()), { interval: 10 }).toEqual([true, true])
  })
})

test('preferences that are changed on one node invalidate the panels of the other', async () => {
  const user = await app.newUser()
  const stream = await listen(user.at(other))
  expect((await user.call(preferences.change, { body: { theme: 'dark' } })).status).toBe(200)
  await stream.until(invalidates('preferences'))
  expect((await user.at(other).call(preferences.get)).data).toMatchObject({ theme: 'dark' })
  stream.close()
})

test('an imitated name is found by one node only', async () => {
  const [famous, imitator] = [await app.newUser(), await app.newUser()]
  const original = await buildServer(famous, { name: 'Aurora Heights Racing' })
  await admin.call(changeAdminServer, { params: { id: original.public_id }, body: { verified: true } })
  const created = await buildServer(imitator.at(other))
  const name = 'Aurora Heights Racing Official'
  expect((await imitator.at(other).call(servers.change, { params: { id: created.public_id }, body: { name } })).status).toBe(200)
  const occurrences = async () => (await issuesOf(imitator)).map((issue) => [issue.kind, issue.occurrences])
  await expect.poll(occurrences, { interval: 50 }).toEqual([['IMPERSONATION', 1]])
  // Longer than findings are buffered, so that a finding of the other node would be stored.
  await sleep(1200)
  expect(await occurrences()).toEqual([['IMPERSONATION', 1]])
})

describe('the lease for singleton jobs', () => {
  test('is held by exactly one node, and by the other as soon as that one has stopped', async () => {
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

  test('moves to the other node when its holder is cut off, and is never held by both', async () => {
    const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
    const first = await startApp({}, { isShared: true, postgres: proxy.connection })
    const second = await first.addNode()
    const leases = async () => [await metric(first, 'muster_lease_held'), await metric(second, 'muster_lease_held')]
    expect(await leases()).toEqual([1, 0])
    proxy.cut()
    // A lease lasts 15 s, and its holder gives up earlier.
    const seen = new Set<string>()
    await until(async () => seen.add(String(await leases())).has('0,1'), 25_000)
    expect([...seen]).toEqual(['1,0', '0,0', '0,1'])
    proxy.restore()
    await untilConnected(first, second)
    expect(await leases()).toEqual([0, 1])
    first.takeLogs()
    await first.close()
    proxy.close()
  })

  test('lets only one node probe a game server', async () => {
    const probes: string[] = []
    const game = createServer((request, response) => {
      probes.push(request.url ?? '')
      response.end(request.url?.split('/').at(-1))
    }).listen(0, '127.0.0.1')
    await once(game, 'listening')
    const checked = await startApp({ REACHABILITY: 'warn', REACHABILITY_PRIVATE: 'on' }, { isShared: true })
    const second = await checked.addNode()
    await untilConnected(checked, second)
    const { credential } = await buildServer(await checked.newUser())
    expect((await announceFrom(second, credential, { port: (game.address() as AddressInfo).port })).status).toBe(200)
    // Advance in steps, because the same clock renews the lease.
    for (let step = 0; step < 3; step += 1) {
      await sleep(1300)
      checked.clock.advance(4000)
    }
    await expect.poll(() => probes.length, { interval: 50 }).toBe(1)
    await sleep(1200)
    expect(probes).toHaveLength(1)
    game.close()
  })
})

test('a credential revoked while a node was cut off is rejected there after it reconnects', async () => {
  const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  onTestFinished(() => proxy.close())
  const near = await startApp({}, { isShared: true })
  const far = await near.addNode({ postgres: proxy.connection })
  await untilConnected(near, far)
  const user = await near.newUser()
  const server = await buildServer(user)
  expect((await announceFrom(far, server.credential)).status).toBe(200)
  proxy.cut()
  expect((await user.call(servers.reissue, { params: { id: server.public_id } })).status).toBe(200)
  proxy.restore()
  await expect.poll(async () => (await announceFrom(far, server.credential)).status).toBe(401)
  await far.close()
  near.takeLogs()
})

test('after both nodes restarted, a reader that alternates between them gets deltas of an unchanged list', async () => {
  const restarted = await startApp({}, { isShared: true })
  const owner = await restarted.newUser()
  await announceFrom(restarted, (await buildServer(owner)).credential)
  const second = await restarted.addNode()
  await restarted.restart()
  await untilConnected(restarted, second)
  const read = async ({ listUrl }: { readonly listUrl: string }, query: string) => {
    const response = await fetch(`${listUrl}/servers${query}`)
    await response.arrayBuffer()
    return { status: response.status, version: response.headers.get('x-list-version') ?? '' }
  }
  // Small steps, because a node that misses two seconds between two cycles counts as paused.
  const STEP_MS = 700
  const run = async (ms: number) => {
    for (let elapsed = 0; elapsed < ms; elapsed += STEP_MS) {
      restarted.clock.advance(STEP_MS)
      await sleep(260)
    }
  }
  await run(25_000)
  let { version } = await read(restarted, '')
  const statuses: number[] = []
  for (const node of [second, restarted, second, restarted, second, restarted, second, restarted]) {
    const answer = await read(node, `?since=${version}`)
    statuses.push(answer.status)
    version = answer.status === 200 ? answer.version : (await read(node, '')).version
    await run(1400)
  }
  expect(statuses).toEqual(statuses.map(() => 200))
})
