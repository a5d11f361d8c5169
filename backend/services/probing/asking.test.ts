/** How one game server is asked, where, and when: what proves nothing, what breaks nothing, and whose turn it is. */
import { describe, expect, test } from 'vitest'
import { createLog } from '#backend/platform/log.ts'
import { readEnv } from '#backend/platform/env.ts'
import type { ResolveWithTtl } from '#backend/platform/outbound/resolver.ts'
import { type Peer, echo, listen, reply } from '#tests/reachability.ts'
import { type AskJob, AskScheduler } from './ask-scheduler.ts'
import { askTcpForProof } from './ask-tcp.ts'
import { askUdp } from './ask-udp.ts'
import { EndpointAsker } from './endpoint-asker.ts'
import { NamedEndpoint } from './named-endpoint.ts'
import { NetworkWatch } from './network-watch.ts'
import type { Outcome } from './question.ts'

const GO_ON = new AbortController().signal
const KEY = { publicId: 'AbCd123', ownerId: 'owner', host: 'play.example', port: 7788, probe: 'udp' } as const

const targetAt = (address: string, port: number) => ({
  publicId: 'AbCd123',
  address,
  port,
  endpoint: `play.example:${port}`,
  key: Buffer.alloc(32),
})

describe('over TCP', () => {
  const once = (next: Peer['answer']): Peer['answer'] => {
    let isFirst = true
    return (socket, request) => {
      const answer = isFirst ? echo : next
      isFirst = false
      return answer(socket, request)
    }
  }

  test.each([
    ['always', echo],
    ['once, and then rejects', once((socket) => reply(socket, '429 Too Many Requests', ''))],
    ['once, and then closes', once((socket) => void socket.destroy())],
  ])('a foreign host that returns what it was sent %s proves nothing', async (_, answer) => {
    const peer = await listen(answer)
    const outcome = await askTcpForProof(targetAt('127.0.0.1', peer.port), Date.now(), GO_ON)
    expect(outcome).toMatchObject({ result: 'failed', failure: 'WRONG_ANSWER' })
    expect(peer.requests).toHaveLength(1)
  })

  test('a host that refuses the first connection is not asked twice', async () => {
    const { port, close } = await listen()
    await close()
    expect(await askTcpForProof(targetAt('127.0.0.1', port), Date.now(), GO_ON)).toMatchObject({ result: 'failed', failure: 'REFUSED' })
  })
})

// No machine has a route to it without asking for one.
test('over UDP, an address without a route is inconclusive', async () => {
  expect(await askUdp(targetAt('255.255.255.255', 7788), ['x'], GO_ON)).toEqual({ result: 'inconclusive', hasNoRoute: true })
})

describe('a name', () => {
  const askerOf = (resolve: ResolveWithTtl, stop = GO_ON, variables = {}) => {
    const clock = { now: () => 0, uptime: () => 0 }
    const parts = { env: readEnv(variables), clock: clock as never }
    const log = createLog('warn')
    return new EndpointAsker(
      { deps: parts, get: () => undefined, scheduler: new AskScheduler(clock), network: new NetworkWatch(log), resolve },
      stop,
    )
  }
  const resolveTo =
    (...addresses: string[]): ResolveWithTtl =>
    () =>
      Promise.resolve({ addresses, ttlSeconds: 60, isPartial: false, isInconclusive: false })

  test('with more than four addresses is asked at those that most players can use', async () => {
    const ipv6 = ['2606:4700::1', '2606:4700::2', '2606:4700::3', '2606:4700::4']
    const found = await askerOf(resolveTo(...ipv6, '45.1.1.1')).find(new NamedEndpoint(KEY, 0, undefined))
    expect(found).toEqual({ addresses: ['45.1.1.1', ...ipv6.slice(0, 3)], isIncomplete: true, failure: '' })
  })

  test('with several texts for one IPv4 address has one address', async () => {
    const found = await askerOf(resolveTo('45.1.1.1', '::ffff:45.1.1.1', '64:ff9b::2d01:101')).find(new NamedEndpoint(KEY, 0, undefined))
    expect(found).toEqual({ addresses: ['45.1.1.1'], isIncomplete: false, failure: '' })
  })

  test('is never asked at the address of many machines, even where private addresses are', async () => {
    const resolve = resolveTo('192.168.1.5', '224.0.0.1', '255.255.255.255', '0.0.0.0', 'ff02::1')
    const found = await askerOf(resolve, GO_ON, { REACHABILITY_PRIVATE: 'on' }).find(new NamedEndpoint(KEY, 0, undefined))
    expect(found?.addresses).toEqual(['192.168.1.5'])
  })

  test('is no longer looked up once the program stops, however many wait', async () => {
    const stop = new AbortController()
    let lookups = 0
    const asker = askerOf((_, signal) => {
      lookups += 1
      return new Promise((resolve) => {
        const nothing = { addresses: [], ttlSeconds: 0, isPartial: true, isInconclusive: true }
        signal.addEventListener('abort', () => resolve(nothing))
      })
    }, stop.signal)
    const found = Array.from({ length: 64 }, (_, each) =>
      asker.find(new NamedEndpoint({ ...KEY, publicId: `${each}`, host: `${each}.example` }, 0, undefined)),
    )
    expect(lookups).toBe(32)
    stop.abort()
    await asker.close()
    expect(new Set(await Promise.all(found))).toEqual(new Set([undefined]))
    expect(lookups).toBe(32)
  })

  test('is proven by its IPv4 address alone only if this machine has no IPv6', () => {
    const proven = (ipv6: Outcome) => {
      const endpoint = new NamedEndpoint(KEY, 0, undefined)
      endpoint.record(
        new Map<string, Outcome>([
          ['45.1.1.1', { result: 'answered' }],
          ['2606:4700::1', ipv6],
        ]),
        false,
        0,
        0,
      )
      return endpoint.proof()
    }
    const addresses = ['45.1.1.1']
    expect(proven({ result: 'inconclusive', hasNoRoute: true })).toMatchObject({ addresses, isNameProven: true })
    expect(proven({ result: 'inconclusive' })).toMatchObject({ addresses, isNameProven: false })
    expect(proven({ result: 'failed', failure: 'TIMEOUT', observed: '' })).toMatchObject({ addresses, isNameProven: false })
  })
})

test('when a node begins to prove, it asks nothing that another node may have asked within 30 seconds', () => {
  const proof = { host: KEY.host, port: KEY.port, addresses: ['45.1.1.1'], isNameProven: true, failure: '', failedAt: undefined } as const
  // The times are random.
  const started = Array.from({ length: 1000 }, (_, index) => new NamedEndpoint(KEY, 0, index % 2 === 0 ? proof : undefined, true))
  expect(Math.min(...started.flatMap(({ dueAt, resolveAt }) => [dueAt, resolveAt]))).toBeGreaterThanOrEqual(30_000)
  expect(new NamedEndpoint(KEY, 0, undefined).dueAt).toBe(3000)
})

describe('the turns of owners', () => {
  let uptime = 0
  const begun: string[] = []
  const open = new Map<string, () => void>()
  const scheduler = new AskScheduler({ uptime: () => uptime })
  const job = (ownerId: string, key: string, fields: Partial<AskJob> = {}): AskJob => ({
    ownerId,
    key,
    target: 'target',
    isFailing: false,
    questions: 1,
    run: () => {
      begun.push(key)
      return new Promise((resolve) => {
        open.set(key, resolve)
      })
    },
    ...fields,
  })
  const finish = async (key: string | undefined) => {
    open.get(key ?? '')?.()
    await new Promise(setImmediate)
  }

  test('come before the order of their jobs, and at most two questions to a target are open', async () => {
    for (let each = 0; each < 20; each += 1) scheduler.add(job('many', `many ${each}`))
    scheduler.add(job('one', 'one'))
    expect(begun).toEqual(['many 0', 'many 1'])
    await finish('many 0')
    expect(begun.at(-1)).toBe('many 2')
    await finish('many 1')
    expect(begun.at(-1)).toBe('one')
  })

  test('wait for the next minute after 30 questions to a target', async () => {
    for (let each = 20; each < 60; each += 1) scheduler.add(job('many', `many ${each}`))
    for (let each = 0; each < 60; each += 1) await finish(begun[each])
    expect(begun).toHaveLength(30)
    uptime += 61_000
    scheduler.fill()
    expect(begun).toHaveLength(32)
  })
})
