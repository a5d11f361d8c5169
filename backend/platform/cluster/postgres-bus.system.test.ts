/** The bus over Postgres: delivery, lost connections, overflows, and gaps that nodes must catch up on. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { ClientConfig } from 'pg'
import pg from 'pg'
import { afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { systemClock } from '#backend/platform/clock.ts'
import { createLog } from '#backend/platform/log.ts'
import { type FaultProxy, startFaultProxy } from '#tests/fault-proxy.ts'
import { newDatabase } from '#tests/harness.ts'
import type { Bus, Gap, Topics } from './bus.ts'
import { createBus } from './postgres-bus.ts'

let database: ClientConfig
const cleanups: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await newDatabase()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function startNode(connection = database, subscribe?: (bus: Bus) => void, log = createLog('silent')): Promise<Bus> {
  const bus = createBus({ clock: systemClock, log }, connection)
  subscribe?.(bus)
  await bus.start()
  cleanups.push(() => bus.close())
  return bus
}

async function wireToDatabase(): Promise<{ wire: FaultProxy; connection: ClientConfig }> {
  const wire = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  cleanups.push(() => Promise.resolve(wire.close()))
  return { wire, connection: { ...database, ...wire.connection } }
}

/** A proxy that drops notifications while `isDropping`, except from the node `passes`. A pooler in transaction mode does the same. */
async function droppingProxy(): Promise<{ connection: ClientConfig; isDropping: boolean; passes: string }> {
  const wire = { connection: {}, isDropping: true, passes: 'none' }
  const server = createServer((near) => {
    const far = connect(`${inject('socketFolder')}/.s.PGSQL.5432`)
    let rest: Buffer = Buffer.alloc(0)
    far.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
        const length = 1 + rest.readInt32BE(1)
        const isNotification = rest.toString('latin1', 0, 1) === 'A'
        const message = rest.subarray(0, length)
        if (!isNotification || !wire.isDropping || message.includes(`"n":"${wire.passes}"`)) near.write(message)
        rest = rest.subarray(length)
      }
    })
    near.pipe(far)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => one.destroy()).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  wire.connection = { ...database, host: '127.0.0.1', port }
  return wire
}

async function query(text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(text, values)
  await client.end()
}

const WAIT = { timeout: 20_000, interval: 20 }

async function allConnected(...buses: readonly Bus[]): Promise<void> {
  await vi.waitFor(() => expect(buses.map((bus) => bus.livePeers)).toEqual(buses.map(() => buses.length - 1)), WAIT)
}

test('messages of any length reach all other nodes completely and in order, and never their sender', async () => {
  const received: string[][] = [[], [], []]
  const buses = await Promise.all(
    received.map((mine) => startNode(database, (bus) => bus.on('presence', ({ publicIds }) => void mine.push(...publicIds)))),
  )
  const many = Array.from({ length: 5000 }, (_, number) => `server-${number}`)
  buses[0]?.publish('presence', { publicIds: ['first'] })
  buses[0]?.publish('presence', { publicIds: many })
  await vi.waitFor(() => expect(received.slice(1).map((ids) => ids.length)).toEqual([5001, 5001]), WAIT)
  expect(received[1]).toEqual(['first', ...many])
  expect(received[0]).toEqual([])
})

test('a large record is split like a list, and two equal messages both arrive', async () => {
  const taken: Record<string, number> = {}
  const other = await startNode(database, (bus) =>
    bus.on('rateLimit', ({ keys }) => {
      for (const [key, count] of Object.entries(keys)) taken[key] = (taken[key] ?? 0) + count
    }),
  )
  const one = await startNode()
  await allConnected(one, other)
  const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`address-${number}`, 1]))
  one.publish('rateLimit', { limit: 'calls', keys })
  one.publish('rateLimit', { limit: 'calls', keys })
  await vi.waitFor(() => expect(Object.values(taken).reduce((sum, count) => sum + count, 0)).toBe(2000), WAIT)
})

test('publishAndWait resolves once all other nodes have handled the message, and at once without other nodes', async () => {
  const one = await startNode()
  await one.publishAndWait('refresh', { publicIds: ['alone'] })
  const done: string[] = []
  const release = Promise.withResolvers<void>()
  const two = await startNode(database, (bus) => bus.on('refresh', ({ publicIds }) => void done.push(...publicIds, 'two')))
  const three = await startNode(database, (bus) => bus.on('refresh', () => release.promise.then(() => void done.push('three'))))
  await allConnected(one, two, three)
  const published = one.publishAndWait('refresh', { publicIds: ['a'] })
  await vi.waitFor(() => expect(done).toContain('a'), WAIT)
  expect(done).not.toContain('three')
  release.resolve()
  await published
  expect(done).toContain('three')
})

test('publishAndWait does not wait for a node that fails or leaves', async () => {
  const one = await startNode()
  const failing = await startNode(database, (bus) => bus.on('refresh', () => Promise.reject(new Error('not now'))))
  const leaving = createBus({ clock: systemClock, log: createLog('silent') }, database)
  leaving.on('refresh', () => new Promise(() => {}))
  await leaving.start()
  await allConnected(one, failing, leaving)
  const published = one.publishAndWait('refresh', { publicIds: ['a'] })
  await leaving.close()
  await expect(published).resolves.toBeUndefined()
  await allConnected(one, failing)
})

test.for(['cut', 'stall'] as const)(
  'a lost connection (%s) is detected and reopened, and messages published in between arrive',
  async (fault) => {
    const { wire, connection } = await wireToDatabase()
    let gaps = 0
    const received: Topics['refresh'][] = []
    const far = await startNode(connection, (bus) => bus.onGap(async () => void (gaps += 1)))
    const near = await startNode(database, (bus) => bus.on('refresh', (message) => void received.push(message)))
    await allConnected(far, near)
    expect(far.disconnectedSince).toBeUndefined()
    wire[fault]()
    await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), WAIT)
    expect(far.livePeers).toBe(1)
    far.publish('refresh', { publicIds: ['published while disconnected'] })
    expect(gaps).toBe(0)
    wire.restore()
    await vi.waitFor(() => expect(gaps).toBeGreaterThan(0), WAIT)
    expect(far.disconnectedSince).toBeUndefined()
    await vi.waitFor(() => expect(received).toContainEqual({ publicIds: ['published while disconnected'] }), WAIT)
  },
)

test('an outbox overflow drops presence before changes by owners', async () => {
  const { wire, connection } = await wireToDatabase()
  const far = await startNode(connection)
  const received: string[] = []
  const gaps: Gap[] = []
  const near = await startNode(database, (bus) => {
    bus.on('refresh', ({ publicIds }) => void received.push(...publicIds))
    bus.onGap(async (gap) => void gaps.push(gap))
  })
  await allConnected(far, near)
  wire.cut()
  await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), WAIT)
  far.publish('refresh', { publicIds: ['reissued'] })
  const ids = Array.from({ length: 500 }, (_, number) => `${number}`.padStart(100, 'x'))
  for (let times = 0; times < 60; times += 1) far.publish('presence', { publicIds: ids })
  wire.restore()
  await vi.waitFor(() => expect(received).toEqual(['reissued']), WAIT)
  await vi.waitFor(() => expect(gaps).toEqual(['publisher_lost']), WAIT)
})

test('a node catches up after another node’s outbox overflows, and after another node crashes', async () => {
  const { wire, connection } = await wireToDatabase()
  const far = await startNode(connection)
  let gaps = 0
  let isReady = false
  const near = await startNode(database, (bus) =>
    bus.onGap(() => {
      if (!isReady) return Promise.reject(new Error('The first catch-up may fail.'))
      gaps += 1
      return Promise.resolve()
    }),
  )
  await allConnected(far, near)
  wire.cut()
  await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), WAIT)
  const ids = Array.from({ length: 500 }, (_, number) => `${number}`.padStart(100, 'x'))
  for (let times = 0; times < 60; times += 1) far.publish('refresh', { publicIds: ids })
  isReady = true
  wire.restore()
  await vi.waitFor(() => expect(gaps).toBe(1), WAIT)
  const client = new pg.Client(database)
  await client.connect()
  wire.cut()
  await client.query(`update nodes set heartbeat_at = heartbeat_at - interval '1 hour' where id = $1`, [far.node])
  await client.end()
  await vi.waitFor(() => expect(gaps).toBe(2), WAIT)
  expect(near.livePeers).toBe(0)
})

test('a node whose row the database lost catches up', async () => {
  let gaps = 0
  await startNode(database, (bus) => bus.onGap(async () => void (gaps += 1)))
  const client = new pg.Client(database)
  await client.connect()
  await client.query('truncate nodes')
  await client.end()
  await vi.waitFor(() => expect(gaps).toBe(1), WAIT)
})

test('a node that receives no notifications warns, and catches up once it receives them', async () => {
  const wire = await droppingProxy()
  const log = createLog('silent')
  const warn = vi.spyOn(log, 'warn')
  const gaps: Gap[] = []
  const near = await startNode()
  const disconnected = await startNode(wire.connection, (bus) => bus.onGap(async (gap) => void gaps.push(gap)), log)
  expect(disconnected.disconnectedSince).toBeTypeOf('number')
  expect(disconnected.livePeers).toBe(1)
  expect(warn.mock.calls.map(([, text]) => text)).toEqual([expect.stringContaining('LISTEN receives nothing')])
  wire.isDropping = false
  await vi.waitFor(() => expect(disconnected.disconnectedSince).toBeUndefined(), WAIT)
  expect(gaps).toEqual(['disconnected'])
  wire.isDropping = true
  await vi.waitFor(() => expect(disconnected.disconnectedSince).toBeTypeOf('number'), WAIT)
  const receivesNothing = expect.stringContaining('LISTEN receives nothing') as string
  expect(warn.mock.calls.map(([, text]) => text)).toEqual([receivesNothing, 'connection to the other nodes restored', receivesNothing])
  expect(near.disconnectedSince).toBeUndefined()
})

test('a node that receives only its own messages becomes silent without counting as disconnected, until others arrive', async () => {
  await query('truncate nodes')
  const wire = await droppingProxy()
  wire.isDropping = false
  const near = await startNode()
  const disconnected = await startNode(wire.connection)
  await allConnected(near, disconnected)
  expect([near.isSilent, disconnected.isSilent]).toEqual([false, false])
  Object.assign(wire, { isDropping: true, passes: disconnected.node })
  await vi.waitFor(() => expect(disconnected.isSilent).toBe(true), WAIT)
  expect([disconnected.disconnectedSince, near.isSilent]).toEqual([undefined, false])
  wire.isDropping = false
  await vi.waitFor(() => expect(disconnected.isSilent).toBe(false), WAIT)
  expect(disconnected.disconnectedSince).toBeUndefined()
})

test('invalid messages from an unknown sender cause no gap, and the sender soon stops counting as a peer', async () => {
  // Rows of nodes that ended while disconnected in other tests.
  await query('truncate nodes')
  const gaps: Gap[] = []
  const one = await startNode(database, (bus) => bus.onGap(async (gap) => void gaps.push(gap)))
  const other = await startNode()
  await allConnected(one, other)
  const messages = [
    'no JSON',
    'null',
    '{"n":"stranger","i":1,"t":"ack"}',
    '{"n":"stranger","i":1,"t":"ack","d":null}',
    '{"n":"stranger","i":1,"t":"ack","d":{"to":1}}',
    '{"n":"stranger","i":1,"t":"refresh","d":[],"q":1}',
    '{"n":"stranger","i":1,"t":"gap","d":{}}',
  ]
  const channel = `'muster_' || left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 16)`
  await query(`select pg_notify(${channel}, payload) from unnest($1::text[]) as payload`, [messages])
  await vi.waitFor(() => expect(one.livePeers).toBe(2), WAIT)
  await vi.waitFor(() => expect(one.livePeers).toBe(1), WAIT)
  expect(gaps).toEqual([])
  expect(one.disconnectedSince).toBeUndefined()
})

test('installations in two schemas of one database do not receive each other’s messages', async () => {
  await query('create schema elsewhere')
  await query('create table elsewhere.nodes (like public.nodes including all)')
  const received: string[] = []
  const there = { ...database, options: '-c search_path=elsewhere' }
  const receiver = (name: string) => (bus: Bus) => bus.on('refresh', ({ publicIds }) => void received.push(`${name} ${publicIds.join()}`))
  const [one, two] = [await startNode(), await startNode(database, receiver('here'))]
  const [three, four] = [await startNode(there), await startNode(there, receiver('there'))]
  await allConnected(one, two)
  await allConnected(three, four)
  await one.publishAndWait('refresh', { publicIds: ['a'] })
  await three.publishAndWait('refresh', { publicIds: ['b'] })
  expect(received).toEqual(['here a', 'there b'])
})
