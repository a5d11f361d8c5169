/** Large lists, many changes at once, and failed builds. The real parts run behind a listener with generated servers. */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { localBus } from '#backend/platform/cluster/bus.ts'
import type { ListColumns, ListDelta, ListedServer } from '#contract/masterlist/masterlist.ts'
import { type Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { addressOf, announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'
import { EventReader } from '#tests/list/event-reader.ts'
import { send } from '#tests/list/send.ts'
import { Deltas } from './deltas.ts'
import { ListHandler } from './list-handler.ts'
import { ListStreams } from './list-stream.ts'
import { Snapshots } from './snapshot.ts'
import { Versions } from '#backend/masterlist/persistence/versions.ts'

const START = 1_800_000_000_000
const CLIENT_ADDRESS = 'x-from'

let list: BigList
let lists: ListHandler
let streams: ListStreams
let url: string
const server = createServer((request, response) => {
  if (request.url?.startsWith('/servers/stream') === true) streams.stream(request, response)
  else lists.servers(request, response)
})

/** A list of any size. Tests run its ticks. */
class BigList {
  uptime = 1000
  readonly clock = { now: () => this.at().now, uptime: () => this.uptime }
  readonly registry = new Registry(75_000)
  readonly #log = new ChangeLog()
  readonly #versions = new Versions(this.clock, 'a', () => false)
  readonly changes = new Deltas(this.#log, this.#versions)
  readonly snapshots = new Snapshots(this.clock, this.#log, this.#versions)

  constructor() {
    this.registry.onListChange = (changed, change) => this.#log.enqueue(changed, change)
  }

  at(): Moment {
    return { uptime: this.uptime, now: START + this.uptime }
  }

  tick(): void {
    this.uptime += 1000
    if (!this.#log.commit(this.#log.drain(), this.uptime)) return
    this.#versions.assign(this.#log.tick, this.at())
    this.changes.publishTick()
    // Longer ago than any list is shared.
    this.snapshots.markStale(this.uptime - 30_000)
  }

  add(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const id = idOf(index)
      const fields = fieldsOf(id, {
        name: `Sunset „City“ ${index}`,
        description: 'Weiß und "schön". '.repeat(10),
        tags: ['a', `b${index}`],
      })
      this.registry.apply(fields, [credentialOf(id)], this.at())
    }
    this.setPlayers(count, 1)
  }

  setPlayers(count: number, playersCount: number): void {
    for (let index = 0; index < count; index += 1) {
      const known = this.registry.get(idOf(index))
      if (known !== undefined)
        this.registry.announce(known, credentialOf(idOf(index)), { ...announced, playersCount }, addressOf(idOf(index)), this.at())
    }
  }

  removeAll(count: number): void {
    for (let index = 0; index < count; index += 1) this.registry.remove(idOf(index), this.at())
  }
}

const idOf = (index: number) => `S${String(index).padStart(6, '0')}`

/** @param isLimited as with RATE_LIMITS on. */
function listen(isLimited = false): void {
  const deps = { env: { RATE_LIMITS: isLimited }, clock: list.clock, bus: localBus('test'), log: pino({ level: 'silent' }) }
  const addressOf = ({ headers }: IncomingMessage) => [headers[CLIENT_ADDRESS] ?? '203.0.113.1'].flat().join()
  lists = new ListHandler(deps as unknown as ConstructorParameters<typeof ListHandler>[0], list, addressOf, () => undefined)
  streams = new ListStreams(deps as unknown as ConstructorParameters<typeof ListStreams>[0], list.changes, addressOf)
}

beforeEach(async () => {
  list = new BigList()
  listen()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/servers`
})

afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const read = async (query = '') => JSON.parse((await send(url + query)).text) as unknown
const codeOf = ({ text }: { text: string }) => (JSON.parse(text) as { code: string }).code

describe('a tick with thousands of changes', () => {
  test.each([
    ['removes more servers than are remembered', () => list.removeAll(12_000)],
    ['changes more servers than a delta can contain', () => list.setPlayers(5000, 7)],
  ])('that %s: a stream ends, and resuming with its last ID gets 410', async (_, change) => {
    list.add(12_000)
    list.tick()
    const reader = await EventReader.open(`${url}/stream`)
    const { id } = await reader.next()
    change()
    list.tick()
    await reader.ended
    expect(reader.retries.at(-1)).toBeGreaterThanOrEqual(1000)
    const resumed = await send(`${url}/stream`, { headers: { 'last-event-id': id } })
    expect([resumed.status, codeOf(resumed)]).toEqual([410, 'VERSION_TOO_OLD'])
    const { headers } = await send(url)
    const reopened = await EventReader.open(`${url}/stream?since=${String(headers['x-list-version'])}`)
    onTestFinished(() => reopened.close())
    expect((await reopened.next()).data.changed).toEqual([])
  })

  test('has a delta of whole rows, counts or removals, and gets 410 above ten thousand servers', async () => {
    list.add(3000)
    list.tick()
    const { version } = list.changes
    const rows = (await read()) as ListedServer[]
    list.setPlayers(2500, 9)
    list.tick()
    const filled = (await read(`?since=${version}`)) as ListDelta
    expect(filled.changed).toHaveLength(2500)
    expect(Object.keys(filled.changed[0] ?? {})).toHaveLength(4)
    list.removeAll(3000)
    list.tick()
    expect(((await read(`?since=${version}`)) as ListDelta).removed.toSorted()).toEqual(rows.map(({ publicId }) => publicId).toSorted())
    const empty = list.changes.version
    list.add(3000)
    list.tick()
    const whole = (await read(`?since=${empty}`)) as ListDelta
    expect(whole.changed.toSorted((a, b) => (a.publicId < b.publicId ? -1 : 1))).toEqual(
      ((await read()) as ListedServer[]).toSorted((a, b) => (a.publicId < b.publicId ? -1 : 1)),
    )
    list.add(10_001)
    list.tick()
    const tooLarge = await send(`${url}?since=${empty}`)
    expect([tooLarge.status, codeOf(tooLarge)]).toEqual([410, 'VERSION_TOO_OLD'])
  })

  test('charges an address for building a long delta, but not for one that another address has already requested', async () => {
    listen(true)
    list.add(3000)
    const versions: string[] = []
    for (let count = 0; count < 60; count += 1) {
      list.setPlayers(1, count)
      list.tick()
      versions.push(list.changes.version)
    }
    list.setPlayers(3000, 77)
    list.tick()
    for (let count = 0; count < 40; count += 1) await send(`${url}?q=word${count}`)
    const rejected = await send(`${url}?since=${versions[0]}`)
    expect([rejected.status, codeOf(rejected)]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect((await send(`${url}?since=${versions[0]}`, { headers: { [CLIENT_ADDRESS]: '203.0.113.2' } })).status).toBe(200)
    expect((await send(`${url}?since=${versions[0]}`)).status).toBe(200)
    expect((await send(`${url}?since=${versions.at(-1)}`, { headers: { [CLIENT_ADDRESS]: '203.0.113.2' } })).status).toBe(200)
  })
})

test('only the address with too many concurrent requests is rejected', async () => {
  listen(true)
  list.add(5000)
  list.tick()
  await read()
  // Building each takes much longer than the arrival of all requests.
  const greedy = Array.from('sunset „city', (_, index) => send(`${url}?q=${encodeURIComponent('sunset „city'.slice(0, index + 1))}`))
  const other = await send(`${url}?q=city`, { headers: { [CLIENT_ADDRESS]: '203.0.113.2' } })
  expect([other.status, (JSON.parse(other.text) as unknown[]).length]).toEqual([200, 5000])
  const responses = await Promise.all(greedy)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]))
  for (const response of responses) {
    if (response.status !== 429) continue
    expect(codeOf(response)).toBe('TOO_MANY_WAITING')
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
})

test('columns of many long rows match the rows', async () => {
  list.add(6000)
  list.tick()
  const rows = (await read()) as ListedServer[]
  const columns = (await read('?format=columns')) as ListColumns
  for (const [name, values] of Object.entries(columns)) expect(values).toEqual(rows.map((row) => row[name as keyof ListedServer]))
})

test('a list that cannot be built gets 503 with Retry-After in every form', async () => {
  vi.spyOn(list.snapshots, 'current').mockImplementation(() => {
    throw new Error('no memory')
  })
  for (const query of ['', '?q=x', '?format=columns', '?limit=5']) {
    const response = await send(url + query)
    expect([query, response.status, codeOf(response)]).toEqual([query, 503, 'UNAVAILABLE'])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
})

describe('a reader that does not read large responses', () => {
  /** More than the operating system's buffers hold. */
  const PLAIN_ROWS = 30_000

  async function openIdleReader(requests: number, from = '203.0.113.1'): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET /servers HTTP/1.1\r\nHost: x\r\n${CLIENT_ADDRESS}: ${from}\r\n\r\n`.repeat(requests))
    return socket
  }

  test('is rejected after thirty unread responses, and served again once it disconnects', async () => {
    listen(true)
    list.add(PLAIN_ROWS)
    list.tick()
    await send(url)
    const idle = await openIdleReader(40)
    await expect.poll(async () => (await send(url)).status).toBe(429)
    const rejected = await send(url)
    expect([rejected.status, codeOf(rejected)]).toEqual([429, 'TOO_MANY_UNREAD'])
    expect(rejected.headers).toMatchObject({ 'retry-after': '5', 'access-control-expose-headers': 'Retry-After, X-Request-Id' })
    expect((await send(url, { headers: { [CLIENT_ADDRESS]: '203.0.113.2' } })).status).toBe(200)
    idle.destroy()
    await expect.poll(async () => (await send(url)).status).toBe(200)
  })

  test('is disconnected within ten minutes', async () => {
    list.add(PLAIN_ROWS)
    list.tick()
    await send(url)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const requested = once(server, 'request')
    await openIdleReader(1)
    const [, response] = (await requested) as [IncomingMessage, ServerResponse]
    const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
    while (!response.headersSent) await new Promise((resolve) => setImmediate(resolve))
    expect(await connections()).toBe(1)
    vi.advanceTimersByTime(10 * 60_000)
    while ((await connections()) > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})
