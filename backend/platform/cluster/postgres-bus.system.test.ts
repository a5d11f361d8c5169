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

/** Passes everything on but notifications while `isDeaf` (of all but the one node that it `hears`), as a pooler in transaction mode does. */
async function deafWire(): Promise<{ connection: ClientConfig; isDeaf: boolean; hears: string }> {
  const wire = { connection: {}, isDeaf: true, hears: 'nobody' }
  const server = createServer((near) => {
    const far = connect(`${inject('socketFolder')}/.s.PGSQL.5432`)
    let rest: Buffer = Buffer.alloc(0)
    far.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
        const length = 1 + rest.readInt32BE(1)
        const isNotification = rest.toString('latin1', 0, 1) === 'A'
        const message = rest.subarray(0, length)
        if (!isNotification || !wire.isDeaf || message.includes(`"n":"${wire.hears}"`)) near.write(message)
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

async function acquainted(...buses: readonly Bus[]): Promise<void> {
  await vi.waitFor(() => expect(buses.map((bus) => bus.livePeers)).toEqual(buses.map(() => buses.length - 1)), seconds)
}

test('what one says all others hear, in order and whole however long it is, and it does not hear itself', async () => {
  const heard: string[][] = [[], [], []]
  const buses = await Promise.all(
    heard.map((mine) => node(database, (bus) => bus.on('presence', ({ publicIds }) => void mine.push(...publicIds)))),
  )
  const many = Array.from({ length: 5000 }, (_, number) => `server-${number}`)
  buses[0]?.publish('presence', { publicIds: ['first'] })
  buses[0]?.publish('presence', { publicIds: many })
  await vi.waitFor(() => expect(heard.slice(1).map((ids) => ids.length)).toEqual([5001, 5001]), seconds)
  expect(heard[1]).toEqual(['first', ...many])
  expect(heard[0]).toEqual([])
})

test('tables are split like lists, and what is the same is not taken for one', async () => {
  const taken: Record<string, number> = {}
  const other = await node(database, (bus) =>
    bus.on('rateLimit', ({ keys }) => {
      for (const [key, count] of Object.entries(keys)) taken[key] = (taken[key] ?? 0) + count
    }),
  )
  const one = await node()
  await acquainted(one, other)
  const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`address-${number}`, 1]))
  one.publish('rateLimit', { limit: 'calls', keys })
  one.publish('rateLimit', { limit: 'calls', keys })
  await vi.waitFor(() => expect(Object.values(taken).reduce((sum, count) => sum + count, 0)).toBe(2000), seconds)
})

test('who tells waits until all others have done it, and for nobody where he is alone', async () => {
  const one = await node()
  await one.publishAndWait('refresh', { publicIds: ['alone'] })
  const done: string[] = []
  const release = Promise.withResolvers<void>()
  const two = await node(database, (bus) => bus.on('refresh', ({ publicIds }) => void done.push(...publicIds, 'two')))
  const three = await node(database, (bus) => bus.on('refresh', () => release.promise.then(() => void done.push('three'))))
  await acquainted(one, two, three)
  const told = one.publishAndWait('refresh', { publicIds: ['a'] })
  await vi.waitFor(() => expect(done).toContain('a'), seconds)
  expect(done).not.toContain('three')
  release.resolve()
  await told
  expect(done).toContain('three')
})

test('who does not do it in time, or can not, is not waited for; nor is who has gone', async () => {
  const one = await node()
  const deaf = await node(database, (bus) => bus.on('refresh', () => Promise.reject(new Error('not now'))))
  const going = createBus({ clock: systemClock, log: createLog('silent') }, database)
  going.on('refresh', () => new Promise(() => {}))
  await going.start()
  await acquainted(one, deaf, going)
  const told = one.publishAndWait('refresh', { publicIds: ['a'] })
  await going.close()
  await expect(told).resolves.toBeUndefined()
  await acquainted(one, deaf)
})

test.for(['cut', 'silence'] as const)(
  'a connection that goes (%s) is noticed and made anew; what was said meanwhile arrives',
  async (how) => {
    const { wire, connection } = await wired()
    let gaps = 0
    const heard: Topics['refresh'][] = []
    const far = await node(connection, (bus) => bus.onGap(async () => void (gaps += 1)))
    const near = await node(database, (bus) => bus.on('refresh', (said) => void heard.push(said)))
    await acquainted(far, near)
    expect(far.disconnectedSince).toBeUndefined()
    wire[how]()
    await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), seconds)
    expect(far.livePeers).toBe(1)
    far.publish('refresh', { publicIds: ['said in the dark'] })
    expect(gaps).toBe(0)
    wire.mend()
    await vi.waitFor(() => expect(gaps).toBeGreaterThan(0), seconds)
    expect(far.disconnectedSince).toBeUndefined()
    await vi.waitFor(() => expect(heard).toContainEqual({ publicIds: ['said in the dark'] }), seconds)
  },
)

test('where more waits than is kept the others catch up; so do they where a node goes without a word', async () => {
  const { wire, connection } = await wired()
  const far = await node(connection)
  let gaps = 0
  let isReady = false
  const near = await node(database, (bus) =>
    bus.onGap(() => {
      if (!isReady) return Promise.reject(new Error('The first try of a gap may fail.'))
      gaps += 1
      return Promise.resolve()
    }),
  )
  await acquainted(far, near)
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
  await client.query(`update nodes set seen_at = seen_at - interval '1 hour' where id = $1`, [far.node])
  await client.end()
  await vi.waitFor(() => expect(gaps).toBe(2), seconds)
  expect(near.livePeers).toBe(0)
})

test('who finds itself forgotten by the database catches up', async () => {
  let gaps = 0
  await node(database, (bus) => bus.onGap(async () => void (gaps += 1)))
  const client = new pg.Client(database)
  await client.connect()
  await client.query('truncate nodes')
  await client.end()
  await vi.waitFor(() => expect(gaps).toBe(1), seconds)
})

test('a node whose statements come through and that hears nothing says so, and catches up once it hears', async () => {
  const wire = await deafWire()
  const log = createLog('silent')
  const warn = vi.spyOn(log, 'warn')
  const gaps: Gap[] = []
  const near = await node()
  const deaf = await node(wire.connection, (bus) => bus.onGap(async (why) => void gaps.push(why)), log)
  expect(deaf.disconnectedSince).toBeTypeOf('number')
  expect(deaf.livePeers).toBe(1)
  expect(warn.mock.calls.map(([, text]) => text)).toEqual([expect.stringContaining('LISTEN hears nothing')])
  wire.isDeaf = false
  await vi.waitFor(() => expect(deaf.disconnectedSince).toBeUndefined(), seconds)
  expect(gaps).toEqual(['disconnected'])
  wire.isDeaf = true
  await vi.waitFor(() => expect(deaf.disconnectedSince).toBeTypeOf('number'), seconds)
  expect(warn).toHaveBeenCalledTimes(2)
  expect(near.disconnectedSince).toBeUndefined()
})

test('a node that hears itself and no others is in doubt long before it counts as cut off, and no longer once it hears them', async () => {
  await query('truncate nodes')
  const wire = await deafWire()
  wire.isDeaf = false
  const near = await node()
  const deaf = await node(wire.connection)
  await acquainted(near, deaf)
  expect([near.isSilent, deaf.isSilent]).toEqual([false, false])
  Object.assign(wire, { isDeaf: true, hears: deaf.node })
  await vi.waitFor(() => expect(deaf.isSilent).toBe(true), seconds)
  expect([deaf.disconnectedSince, near.isSilent]).toEqual([undefined, false])
  wire.isDeaf = false
  await vi.waitFor(() => expect(deaf.isSilent).toBe(false), seconds)
  expect(deaf.disconnectedSince).toBeUndefined()
})

test('what a stranger says on the channel ends nobody and makes nobody catch up', async () => {
  // Nodes of other tests that ended while they were cut off stand there for a while.
  await query('truncate nodes')
  const gaps: Gap[] = []
  const one = await node(database, (bus) => bus.onGap(async (why) => void gaps.push(why)))
  const other = await node()
  await acquainted(one, other)
  const messages = [
    'no JSON',
    'null',
    '{"n":"stranger","i":1,"t":"done"}',
    '{"n":"stranger","i":1,"t":"done","d":null}',
    '{"n":"stranger","i":1,"t":"done","d":{"to":1}}',
    '{"n":"stranger","i":1,"t":"refresh","d":[],"q":1}',
    '{"n":"stranger","i":1,"t":"gap","d":{}}',
  ]
  const channel = `'muster_' || left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 16)`
  await query(`select pg_notify(${channel}, said) from unnest($1::text[]) as said`, [messages])
  await vi.waitFor(() => expect(one.livePeers).toBe(2), seconds)
  await vi.waitFor(() => expect(one.livePeers).toBe(1), seconds)
  expect(gaps).toEqual([])
  expect(one.disconnectedSince).toBeUndefined()
})

test('installations in two schemas of one database do not hear each other', async () => {
  await query('create schema elsewhere')
  await query('create table elsewhere.nodes (like public.nodes including all)')
  const heard: string[] = []
  const there = { ...database, options: '-c search_path=elsewhere' }
  const hears = (name: string) => (bus: Bus) => bus.on('refresh', ({ publicIds }) => void heard.push(`${name} ${publicIds.join()}`))
  const [one, two] = [await node(), await node(database, hears('here'))]
  const [three, four] = [await node(there), await node(there, hears('there'))]
  await acquainted(one, two)
  await acquainted(three, four)
  await one.publishAndWait('refresh', { publicIds: ['a'] })
  await three.publishAndWait('refresh', { publicIds: ['b'] })
  expect(heard).toEqual(['here a', 'there b'])
})

test('where more waits than is kept changes of owners are dropped last', async () => {
  const { wire, connection } = await wired()
  const far = await node(connection)
  const heard: string[] = []
  const gaps: Gap[] = []
  const near = await node(database, (bus) => {
    bus.on('refresh', ({ publicIds }) => void heard.push(...publicIds))
    bus.onGap(async (why) => void gaps.push(why))
  })
  await acquainted(far, near)
  wire.cut()
  await vi.waitFor(() => expect(far.disconnectedSince).toBeTypeOf('number'), seconds)
  far.publish('refresh', { publicIds: ['reissued'] })
  const ids = Array.from({ length: 500 }, (_, number) => `${number}`.padStart(100, 'x'))
  for (let times = 0; times < 60; times += 1) far.publish('presence', { publicIds: ids })
  wire.mend()
  await vi.waitFor(() => expect(heard).toEqual(['reissued']), seconds)
  await vi.waitFor(() => expect(gaps).toEqual(['publisher_lost']), seconds)
})
