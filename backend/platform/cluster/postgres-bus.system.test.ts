import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { ClientConfig } from 'pg'
import pg from 'pg'
import { afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { systemClock } from '#backend/platform/clock.ts'
import { createLog } from '#backend/platform/log.ts'
import { type Wire, wireTo } from '#tests/cut-off.ts'
import { newDatabase } from '#tests/harness.ts'
import type { Bus, Gap, Topics } from './bus.ts'
import { createBus } from './postgres-bus.ts'

let database: ClientConfig
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await newDatabase()
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function node(connection = database, before?: (bus: Bus) => void, log = createLog('silent')): Promise<Bus> {
  const bus = createBus({ clock: systemClock, log }, connection)
  before?.(bus)
  await bus.start()
  ends.push(() => bus.close())
  return bus
}

async function wired(): Promise<{ wire: Wire; connection: ClientConfig }> {
  const wire = await wireTo({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  ends.push(() => Promise.resolve(wire.close()))
  return { wire, connection: { ...database, ...wire.connection } }
}

/** A proxy that drops notifications while `isDropping`, except those of the node `passes`, as a pooler in transaction mode does. */
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
  ends.push(() => new Promise((resolve) => server.close(resolve)))
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

const seconds = { timeout: 20_000, interval: 20 }

async function allConnected(...buses: readonly Bus[]): Promise<void> {
  await vi.waitFor(() => expect(buses.map((bus) => bus.livePeers)).toEqual(buses.map(() => buses.length - 1)), seconds)
}

test('a message reaches all other nodes, in order and whole however long it is, and never its sender', async () => {
  const received: string[][] = [[], [], []]
  const buses = await Promise.all(
    received.map((mine) => node(database, (bus) => bus.on('presence', ({ publicIds }) => void mine.push(...publicIds)))),
  )
  const many = Array.from({ length: 5000 }, (_, number) => `server-${number}`)
  buses[0]?.publish('presence', { publicIds: ['first'] })
  buses[0]?.publish('presence', { publicIds: many })
  await vi.waitFor(() => expect(received.slice(1).map((ids) => ids.length)).toEqual([5001, 5001]), seconds)
  expect(received[1]).toEqual(['first', ...many])
  expect(received[0]).toEqual([])
})

test('a large table is split like a list, and two equal messages both arrive', async () => {
  const taken: Record<string, number> = {}
  const other = await node(database, (bus) =>
    bus.on('rateLimit', ({ keys }) => {
      for (const [key, count] of Object.entries(keys)) taken[key] = (taken[key] ?? 0) + count
    }),
  )
  const one = await node()
  await allConnected(one, other)
  const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`address-${number}`, 1]))
  one.publish('rateLimit', { limit: 'calls', keys })
  one.publish('rateLimit', { limit: 'calls', keys })
  await vi.waitFor(() => expect(Object.values(taken).reduce((sum, count) => sum + count, 0)).toBe(2000), seconds)
})

test('publishAndWait resolves once all other nodes have handled the message, and at once without other nodes', async () => {
  const one = await node()
  await one.publishAndWait('refresh', { publicIds: ['alone'] })
  const done: string[] = []
  const release = Promise.withResolvers<void>()
  const two = await node(database, (bus) => bus.on('refresh', ({ publicIds }) => void done.push(...publicIds, 'two')))
  const three = await node(database, (bus) => bus.on('refresh', () => release.promise.then(() => void done.push('three'))))
  await allConnected(one, two, three)
  const published = one.publishAndWait('refresh', { publicIds: ['a'] })
  await vi.waitFor(() => expect(done).toContain('a'), seconds)
  expect(done).not.toContain('three')
  release.resolve()
  await published
  expect(done).toContain('three')
})

test('publishAndWait does not wait for a node that fails, is late, or has left', async () => {
  const one = await node()
  const failing = await node(database, (bus) => bus.on('refresh', () => Promise.reject(new Error('not now'))))
  const going = createBus({ clock: systemClock, log: createLog('silent') }, database)
  going.on('refresh', () => new Promise(() => {}))
  await going.start()
  await allConnected(one, failing, going)
  const published = one.publishAndWait('refresh', { publicIds: ['a'] })
  await going.close()
  await expect(published).resolves.toBeUndefined()
  await allConnected(one, failing)
})

test.for(['cut', 'silence'] as const)(
  'a lost connection (%s) is noticed and reopened, and messages from the meantime arrive',
  async (how) => {
    const { wire, connection } = await wired()
    let gaps = 0
    const received: Topics['refresh'][] = []
    const far = await node(connection, (bus) => bus.onGap(async () => void (gaps += 1)))
    const near = await node(database, (bus) => bus.on('refresh', (data) => void received.push(data)))
    await allConnected(far, near)
    expect(far.disconnectedSince).toBeUndefined()
    wire[how]()
    await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), seconds)
    expect(far.livePeers).toBe(1)
    far.publish('refresh', { publicIds: ['published while disconnected'] })
    expect(gaps).toBe(0)
    wire.mend()
    await vi.waitFor(() => expect(gaps).toBeGreaterThan(0), seconds)
    expect(far.disconnectedSince).toBeUndefined()
    await vi.waitFor(() => expect(received).toContainEqual({ publicIds: ['published while disconnected'] }), seconds)
  },
)

test('the other nodes catch up after an outbox overflow, and after a node disappears without a goodbye', async () => {
  const { wire, connection } = await wired()
  const far = await node(connection)
  let gaps = 0
  let isReady = false
  const near = await node(database, (bus) =>
    bus.onGap(() => {
      if (!isReady) return Promise.reject(new Error('The first catch-up may fail.'))
      gaps += 1
      return Promise.resolve()
    }),
  )
  await allConnected(far, near)
  wire.cut()
  await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), seconds)
  const ids = Array.from({ length: 500 }, (_, number) => `${number}`.padStart(100, 'x'))
  for (let times = 0; times < 60; times += 1) far.publish('refresh', { publicIds: ids })
  isReady = true
  wire.mend()
  await vi.waitFor(() => expect(gaps).toBe(1), seconds)
  const client = new pg.Client(database)
  await client.connect()
  wire.cut()
  await client.query(`update nodes set heartbeat_at = heartbeat_at - interval '1 hour' where id = $1`, [far.node])
  await client.end()
  await vi.waitFor(() => expect(gaps).toBe(2), seconds)
  expect(near.livePeers).toBe(0)
})

test('a node whose row the database lost catches up', async () => {
  let gaps = 0
  await node(database, (bus) => bus.onGap(async () => void (gaps += 1)))
  const client = new pg.Client(database)
  await client.connect()
  await client.query('truncate nodes')
  await client.end()
  await vi.waitFor(() => expect(gaps).toBe(1), seconds)
})

test('a node that receives no notifications warns, and catches up once it receives them', async () => {
  const wire = await droppingProxy()
  const log = createLog('silent')
  const warn = vi.spyOn(log, 'warn')
  const gaps: Gap[] = []
  const near = await node()
  const disconnected = await node(wire.connection, (bus) => bus.onGap(async (why) => void gaps.push(why)), log)
  expect(disconnected.disconnectedSince).toBeTypeOf('number')
  expect(disconnected.livePeers).toBe(1)
  expect(warn.mock.calls.map(([, text]) => text)).toEqual([expect.stringContaining('LISTEN receives nothing')])
  wire.isDropping = false
  await vi.waitFor(() => expect(disconnected.disconnectedSince).toBeUndefined(), seconds)
  expect(gaps).toEqual(['disconnected'])
  wire.isDropping = true
  await vi.waitFor(() => expect(disconnected.disconnectedSince).toBeTypeOf('number'), seconds)
  expect(warn).toHaveBeenCalledTimes(2)
  expect(near.disconnectedSince).toBeUndefined()
})

test('a node that receives only its own messages is silent long before it counts as disconnected, until others arrive', async () => {
  await query('truncate nodes')
  const wire = await droppingProxy()
  wire.isDropping = false
  const near = await node()
  const disconnected = await node(wire.connection)
  await allConnected(near, disconnected)
  expect([near.isSilent, disconnected.isSilent]).toEqual([false, false])
  Object.assign(wire, { isDropping: true, passes: disconnected.node })
  await vi.waitFor(() => expect(disconnected.isSilent).toBe(true), seconds)
  expect([disconnected.disconnectedSince, near.isSilent]).toEqual([undefined, false])
  wire.isDropping = false
  await vi.waitFor(() => expect(disconnected.isSilent).toBe(false), seconds)
  expect(disconnected.disconnectedSince).toBeUndefined()
})

test('messages of a stranger on the channel break nothing and cause no catch-up', async () => {
  // Rows of nodes that ended while disconnected in other tests.
  await query('truncate nodes')
  const gaps: Gap[] = []
  const one = await node(database, (bus) => bus.onGap(async (why) => void gaps.push(why)))
  const other = await node()
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
  await vi.waitFor(() => expect(one.livePeers).toBe(2), seconds)
  await vi.waitFor(() => expect(one.livePeers).toBe(1), seconds)
  expect(gaps).toEqual([])
  expect(one.disconnectedSince).toBeUndefined()
})

test('installations in two schemas of one database do not receive each other’s messages', async () => {
  await query('create schema elsewhere')
  await query('create table elsewhere.nodes (like public.nodes including all)')
  const received: string[] = []
  const there = { ...database, options: '-c search_path=elsewhere' }
  const receiver = (name: string) => (bus: Bus) => bus.on('refresh', ({ publicIds }) => void received.push(`${name} ${publicIds.join()}`))
  const [one, two] = [await node(), await node(database, receiver('here'))]
  const [three, four] = [await node(there), await node(there, receiver('there'))]
  await allConnected(one, two)
  await allConnected(three, four)
  await one.publishAndWait('refresh', { publicIds: ['a'] })
  await three.publishAndWait('refresh', { publicIds: ['b'] })
  expect(received).toEqual(['here a', 'there b'])
})

test('an outbox overflow drops changes by owners last', async () => {
  const { wire, connection } = await wired()
  const far = await node(connection)
  const received: string[] = []
  const gaps: Gap[] = []
  const near = await node(database, (bus) => {
    bus.on('refresh', ({ publicIds }) => void received.push(...publicIds))
    bus.onGap(async (why) => void gaps.push(why))
  })
  await allConnected(far, near)
  wire.cut()
  await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), seconds)
  far.publish('refresh', { publicIds: ['reissued'] })
  const ids = Array.from({ length: 500 }, (_, number) => `${number}`.padStart(100, 'x'))
  for (let times = 0; times < 60; times += 1) far.publish('presence', { publicIds: ids })
  wire.mend()
  await vi.waitFor(() => expect(received).toEqual(['reissued']), seconds)
  await vi.waitFor(() => expect(gaps).toEqual(['publisher_lost']), seconds)
})
