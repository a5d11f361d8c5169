/** Ten thousand servers name endpoints that are not theirs: none is proven, and no target gets more questions than the limits allow. */
import { hash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer as createHttpServer } from 'node:http'
import { type Server, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { readEnv } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'
import { NEVER_ANNOUNCED } from '#backend/masterlist/registry/server-record.ts'
import { AskScheduler } from './ask-scheduler.ts'
import type { ProvedServer } from './endpoint-asker.ts'
import { EndpointProver } from './endpoint-prover.ts'
import { NetworkWatch } from './network-watch.ts'
import type { StoredProof } from './proofs.queries.ts'

const CLAIMS = 10_000
/** Driven minutes. */
const MINUTES = 3
const STEP_MS = 1000
const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

const clock = { uptime: () => uptime, now: () => 1_800_000_000_000 + uptime, rate: 1 }
let uptime = 0

/** When questions arrived at each endpoint, by the driven clock, and how many were open at each address at once. */
const arrivals = new Map<string, { readonly at: string; readonly times: number[] }>()
const open = new Map<string, number>()
const mostOpen = new Map<string, number>()

function arrive(at: string, port: number): void {
  const endpoint = arrivals.get(`${at}:${port}`) ?? { at, times: [] }
  endpoint.times.push(uptime)
  arrivals.set(`${at}:${port}`, endpoint)
}

/** Returns what to call at the end. */
function begin(at: string, port: number): () => void {
  arrive(at, port)
  const count = (open.get(at) ?? 0) + 1
  open.set(at, count)
  mostOpen.set(at, Math.max(count, mostOpen.get(at) ?? 0))
  return () => open.set(at, (open.get(at) ?? 1) - 1)
}

/** The most questions within a time. */
const mostWithin = (times: readonly number[], ms: number) =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + ms).length))

async function listenTcp(at: string, server: Server): Promise<number> {
  let port = 0
  server.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.on('close', begin(at, port))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, at, resolve)
  })
  closers.push(() => void server.close())
  ;({ port } = server.address() as { port: number })
  return port
}

async function listenUdp(at: string, answer: (question: Buffer) => Buffer | undefined): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { address, port }) => {
    arrive(at, socket.address().port)
    const reply = answer(question)
    if (reply !== undefined) socket.send(reply, port, address)
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, at, resolve)
  })
  closers.push(() => socket.close())
  return socket.address().port
}

interface Foreign {
  readonly host: string
  readonly port: number
  readonly probe: 'tcp' | 'udp'
}

const address = (index: number) => `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`

/** Open ports, echo servers, reflectors, other lists' game servers, and names that lead elsewhere the second time. */
async function foreignEndpoint(index: number, zone: Map<string, string[]>): Promise<Foreign> {
  // These are many ports of one target.
  const at = index % 8 === 0 ? '127.1.9.9' : address(index)
  const lastPart = (url = '') => url.split('/').at(-1) ?? ''
  switch (index % 8) {
    case 0:
      return {
        host: at,
        port: await listenTcp(
          at,
          createServer((socket) => void socket.destroy()),
        ),
        probe: 'tcp',
      }
    case 1:
      return {
        host: at,
        port: await listenTcp(
          at,
          createServer((socket) => void socket.pipe(socket)),
        ),
        probe: 'tcp',
      }
    case 2: {
      // Every other one rejects the second request within ten seconds.
      let answeredAt = -Infinity
      const echo = createHttpServer((request, reply) => {
        const isTooSoon = index % 16 > 8 && uptime - answeredAt < 10_000
        answeredAt = uptime
        return void (isTooSoon ? reply.writeHead(429).end() : reply.end(lastPart(request.url)))
      })
      return { host: at, port: await listenTcp(at, echo), probe: 'tcp' }
    }
    case 3:
      return {
        host: at,
        port: await listenTcp(
          at,
          createHttpServer((request, reply) => void reply.end(`${request.url}`)),
        ),
        probe: 'tcp',
      }
    case 4:
      return { host: at, port: await listenUdp(at, (question) => question), probe: 'udp' }
    case 5:
      return { host: at, port: await listenUdp(at, (question) => question.subarray(0, 40)), probe: 'udp' }
    case 6: {
      const port = await listenUdp(at, () => Buffer.alloc(1400))
      zone.set(`rebind-${index}.example`, [at])
      return { host: `rebind-${index}.example`, port, probe: 'udp' }
    }
    default: {
      const name = `private-${index}.example`
      zone.set(name, ['10.0.0.1', '169.254.169.254', '127.0.0.1', '::1', 'fd00::1', '224.0.0.1', '255.255.255.255'])
      return { host: name, port: 80, probe: 'tcp' }
    }
  }
}

test('none of ten thousand claims is proven, and each target is asked within the limits', { timeout: 240_000 }, async () => {
  uptime = 0
  const zone = new Map<string, string[]>()
  const foreign: Foreign[] = []
  for (let index = 0; index < 200; index += 1) foreign.push(await foreignEndpoint(index, zone))
  const key = hash('sha256', 'mst_AbCd123_secret')
  const servers = new Map<string, ProvedServer>()
  for (let index = 0; index < CLAIMS; index += 1) {
    const { host, port, probe } = foreign[index % foreign.length] ?? expect.unreachable()
    const publicId = `C${String(index).padStart(6, '0')}`
    servers.set(publicId, {
      publicId,
      online: true,
      announced: { ...NEVER_ANNOUNCED, host, port, probe },
      address: '198.51.100.7',
      otherAddress: '',
      credentialId: 'c',
      credentials: [{ id: 'c', key }] as unknown as ProvedServer['credentials'],
      fields: { ownerId: `owner ${Math.floor(index / 3)}`, proof: undefined },
    })
  }
  const saved: StoredProof[] = []
  const log = createLog('silent')
  const scheduler = new AskScheduler(clock)
  const isPublicHere = (each: string) => each.startsWith('127.1.')
  const prover = new EndpointProver({
    deps: { env: readEnv({ REACHABILITY_PRIVATE: 'off' }), clock: clock as never, log },
    isAllowed: isPublicHere,
    list: { registry: { get: (id) => servers.get(id), all: () => servers.values() }, onChange: () => () => undefined },
    scheduler,
    network: new NetworkWatch(log),
    resolve: (name) => {
      const addresses = zone.get(name) ?? []
      // The second answer of a rebinding name is private.
      if (name.startsWith('rebind')) zone.set(name, ['127.0.0.1'])
      return Promise.resolve({ addresses, ttlSeconds: 1, isPartial: false, isInconclusive: false })
    },
    save: (proof) => Promise.resolve(void saved.push(proof)),
    findProvenAt: () => Promise.resolve(undefined),
    refreshList: () => Promise.resolve(),
    isLeaseHolder: () => true,
    tickMs: 10,
  })
  prover.start()
  for (uptime = 0; uptime < MINUTES * 60_000; uptime += STEP_MS) await sleep(100)
  await prover.close()
  await scheduler.close()
  expect(saved.filter(({ addresses }) => addresses.length > 0)).toEqual([])
  expect(new Set(saved.map(({ failure }) => failure))).toEqual(new Set(['WRONG_ANSWER', 'PRIVATE']))
  expect(
    [...arrivals.values()].every(({ at }) => isPublicHere(at)),
    'no private target was asked',
  ).toBe(true)
  expect(arrivals.size).toBeGreaterThan(100)
  // One attempt in 30 seconds, of at most two connections. The clock moves in steps of a second.
  for (const [endpoint, { times }] of arrivals) expect(mostWithin(times, 29_000), endpoint).toBeLessThanOrEqual(2)
  for (const [target, endpoints] of Map.groupBy(arrivals.values(), ({ at }) => at)) {
    expect(mostOpen.get(target) ?? 0, target).toBeLessThanOrEqual(2)
    expect(
      mostWithin(
        endpoints.flatMap(({ times }) => times),
        59_000,
      ),
      target,
    ).toBeLessThanOrEqual(30)
  }
  expect(mostOpen.get('127.1.9.9'), 'the limit was reached').toBe(2)
})
