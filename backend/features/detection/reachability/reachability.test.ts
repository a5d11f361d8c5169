/** The reachability check against all kinds of listeners. `unreachable.test.ts` tests the consequences of a finding. */
import { createHash, createHmac } from 'node:crypto'
import { type Server, type Socket, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HEALTHY } from '#tests/healthy-database.ts'
import { readEnv } from '#backend/platform/env.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
import { localBus } from '#backend/platform/cluster/bus.ts'
import { createLog } from '#backend/platform/log.ts'
import { listenForProbes, probeAnswer } from '#sdk/probe.ts'
import { buildServer } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { outcomeOf } from './probe.ts'
import { type CheckedServer, ReachabilityCheck } from './reachability.ts'

const FIRST_MS = 11_000
const RETRY_MS = 67_000
const ROUND_MS = 661_000
const TICK_MS = 20
const CREDENTIAL = 'mst_AbCd123_0123456789abcdefghijklmnopqrstuvwxyz'

let app: TestApp
const cleanups: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  app = await startApp()
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

interface Peer {
  readonly port: number
  /** The first bytes of each connection. */
  readonly requests: string[]
  /** Open connections. */
  readonly open: Set<Socket>
  answer: (socket: Socket, request: string) => void
}

async function listen(answer: Peer['answer'] = echo, host = '127.0.0.1'): Promise<Peer> {
  const requests: string[] = []
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.once('data', (data) => {
      const request = String(data)
      // From a client of the process that used this port before.
      if (tokenIn(request) === '') return socket.destroy()
      requests.push(request)
      return peer.answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as { port: number }
  const peer: Peer = { port, requests, open, answer }
  cleanups.push(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
  return peer
}

const tokenIn = (request: string) => /^GET \/\.well-known\/muster\/(\S+) HTTP\/1\.1\r\n/.exec(request)?.[1] ?? ''
const reply = (socket: Socket, status: string, body: string, headers = '') =>
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`)
const echo: Peer['answer'] = (socket, request) => reply(socket, '200 OK', tokenIn(request))

interface Check {
  readonly reported: Finding[]
  readonly resolved: string[]
  readonly service: ReachabilityCheck
  readonly servers: Map<string, CheckedServer>
  /** A server announces. */
  readonly announce: (publicId: string, port: number, overrides?: Partial<CheckedServer>) => void
  readonly leave: (publicId: string) => void
  /** Whether the check subscribed to changes of player counts. */
  readonly wantsCounts: () => boolean
}

/** Starts a check on a list with the servers of the test. */
async function start(variables: Record<string, string> = {}): Promise<Check> {
  const reported: Finding[] = []
  const resolved: string[] = []
  const servers = new Map<string, CheckedServer>()
  let notify: (changes: readonly { publicId: string }[]) => void = () => {}
  let wantsCounts = (): boolean => expect.unreachable('The check has not subscribed.')
  const env = readEnv({ REACHABILITY: 'warn', REACHABILITY_PRIVATE: 'on', ...variables })
  const deps = {
    env,
    db: app.db,
    databaseHealth: HEALTHY,
    clock: app.clock,
    log: createLog('silent'),
    bus: localBus('test'),
    fetchPublic: () => Promise.reject(new Error('unused')),
    postPublic: () => Promise.reject(new Error('unused')),
    connection: {},
  }
  const list = {
    registry: { get: (publicId: string) => servers.get(publicId), all: () => servers.values() },
    onChange(listener: typeof notify, wants: typeof wantsCounts) {
      notify = listener
      wantsCounts = wants
      return () => {
        notify = () => {}
      }
    },
  }
  const findings = {
    report: (finding: Finding) => void reported.push(finding),
    resolve: (_kind: string, publicId: string) => void resolved.push(publicId),
  }
  const service = new ReachabilityCheck(deps, list, findings, () => true, TICK_MS)
  await service.start()
  cleanups.push(() => service.close())
  const key = createHash('sha256').update(CREDENTIAL).digest().toString('latin1')
  return {
    reported,
    resolved,
    service,
    servers,
    wantsCounts: () => wantsCounts(),
    announce(publicId, port, overrides = {}) {
      const credentials = [{ id: 'c', key }]
      const defaults = { online: true, address: '127.0.0.1', announced: { port }, fields: { ownerId: 'o' }, credentialId: 'c', credentials }
      servers.set(publicId, { publicId, ...defaults, ...overrides })
      notify([{ publicId }])
    },
    leave(publicId) {
      const server = servers.get(publicId)
      if (server !== undefined) servers.set(publicId, { ...server, online: false })
      notify([{ publicId }])
    },
  }
}

/** Advances the clock and waits until the expected connections have opened and closed. */
async function advance(ms: number, peer: Peer, times = 1): Promise<void> {
  const before = peer.requests.length
  app.clock.advance(ms)
  await expect.poll(() => peer.requests.length, { interval: 20 }).toBe(before + times)
  await expect.poll(() => peer.open.size, { interval: 20 }).toBe(0)
  await settle()
}

/** Sleeps in short steps, so that pending I/O and ticks run in between, even on a busy machine. */
async function settle(pieces = 6): Promise<void> {
  for (let piece = 0; piece < pieces; piece += 1) await sleep(10)
}

/** Waits long enough for several ticks and for immediate replies. */
const severalTicks = () => settle(25)

describe('a game server that answers', () => {
  test('is probed soon after it comes online, then about every ten minutes, without a finding', async () => {
    const [peer, { announce, reported, resolved }] = [await listen(), await start()]
    announce('AbCd123', peer.port)
    await severalTicks()
    expect(peer.requests, 'it announces shortly before it listens').toEqual([])
    await advance(FIRST_MS, peer)
    app.clock.advance(RETRY_MS)
    await severalTicks()
    expect(peer.requests).toHaveLength(1)
    await advance(ROUND_MS, peer)
    expect([reported, resolved]).toEqual([[], []])
  })

  test('can verify that the list sends the probe, as docs/api.md describes', async () => {
    const [peer, { announce }] = [await listen(), await start()]
    announce('AbCd123', peer.port)
    await advance(FIRST_MS, peer)
    const request = peer.requests[0] ?? ''
    const token = tokenIn(request)
    const host = /\r\nhost: (\S+)\r\n/i.exec(request)?.[1] ?? ''
    expect(host).toBe(`127.0.0.1:${peer.port}`)
    const [publicId, expires, nonce, signature] = token.split('.')
    expect(publicId).toBe('AbCd123')
    expect(Number(expires) * 1000 - app.clock.now()).toBeLessThanOrEqual(60_000)
    const key = createHash('sha256').update(CREDENTIAL).digest()
    const expected = createHmac('sha256', key).update(`${publicId}.${expires}.${nonce}.${host}`).digest('base64url')
    expect(signature).toBe(expected)
    expect(request).not.toContain(CREDENTIAL)
    // The SDK verifies it too.
    const answerOf = (itsHost: string, itsId: string, credential: string) =>
      probeAnswer(`/.well-known/muster/${token}`, itsHost, { publicId: itsId, credential })
    expect(await answerOf(host, 'AbCd123', CREDENTIAL)).toBe(token)
    expect(await answerOf('127.0.0.1:1', 'AbCd123', CREDENTIAL)).toBeUndefined()
    expect(await answerOf(host, 'AbCd124', CREDENTIAL)).toBeUndefined()
    expect(await answerOf(host, 'AbCd123', `${CREDENTIAL}x`)).toBeUndefined()
  })

  test('may send a chunked reply with a trailing line break', async () => {
    const chunked: Peer['answer'] = (socket, request) => {
      const body = `${tokenIn(request)}\n`
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      setTimeout(() => socket.end(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`), 50)
    }
    const [peer, { announce, reported }] = [await listen(chunked), await start()]
    announce('AbCd123', peer.port)
    for (const ms of [FIRST_MS, ROUND_MS, ROUND_MS]) await advance(ms, peer)
    expect(reported).toEqual([])
  })
})

test('the check does not subscribe to player counts, which are most of the changes', async () => {
  const { wantsCounts } = await start()
  expect(wantsCounts()).toBe(false)
})

test('a game server on the SDK answers only probes for itself', async () => {
  const { port } = await listen()
  await cleanups.pop()?.()
  const listening = await listenForProbes(port, (path, host) => probeAnswer(path, host, { publicId: 'AbCd123', credential: CREDENTIAL }))
  cleanups.push(async () => listening?.close())
  const { announce, reported, resolved } = await start()
  announce('AbCd123', port)
  announce('AbCd124', port)
  for (const ms of [FIRST_MS, RETRY_MS, RETRY_MS]) {
    app.clock.advance(ms)
    await severalTicks()
  }
  expect(reported.map(({ publicId }) => publicId)).toEqual(['AbCd124'])
  expect(resolved).toEqual([])
})

const BROKEN: readonly (readonly [string, Peer['answer'], string])[] = [
  ['replies with something else', (socket) => reply(socket, '200 OK', 'hello'), 'its body is not the probe token'],
  ['does not know the path', (socket) => reply(socket, '404 Not Found', ''), 'the status 404'],
  [
    'redirects',
    (socket, request) => reply(socket, '302 Found', tokenIn(request), `location: http://127.0.0.1:${redirectTarget.port}/\r\n`),
    'the status 302',
  ],
  ['closes immediately', (socket) => socket.destroy(), 'closed before a reply'],
  ['sends half of a reply', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'), 'closed before a reply'],
  ['does not speak HTTP', (socket) => socket.end('220 smtp.example ESMTP\r\n'), 'not with HTTP'],
  ['sends only informational replies', (socket) => endless(socket, 'HTTP/1.1 102 Processing\r\n\r\n'), 'not with HTTP'],
  ['switches protocols', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), 'HTTP'],
  ['never ends its headers', (socket) => endless(socket, 'x: y\r\n', 'HTTP/1.1 200 OK\r\n'), 'larger than'],
  ['never ends its body', (socket) => endless(socket, 'x'.repeat(1000), 'HTTP/1.1 200 OK\r\n\r\n'), 'larger than'],
  [
    'never ends its chunks',
    (socket) => endless(socket, '3e8\r\n' + 'x'.repeat(1000) + '\r\n', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
    'larger than',
  ],
]
let redirectTarget: Peer

/** Writes endlessly, as fast as the peer reads. */
function endless(socket: Socket, text: string, first = ''): void {
  if (first !== '') socket.write(first)
  const writeMore = () => {
    if (socket.destroyed) return
    if (socket.write(text)) setImmediate(writeMore)
    else socket.once('drain', writeMore)
  }
  writeMore()
}

describe('a game server that does not answer', () => {
  test('is reported after the third consecutive failure of any kind, and resolved by the first answer', async () => {
    redirectTarget = await listen()
    const { announce, reported, resolved } = await start()
    const peers = await Promise.all(BROKEN.map(([, answer]) => listen(answer)))
    const idOf = (at: number) => `AbCd1${at + 10}`
    peers.forEach(({ port }, at) => announce(idOf(at), port))
    for (const [time, ms] of [FIRST_MS, RETRY_MS, RETRY_MS].entries()) {
      expect(reported).toEqual([])
      app.clock.advance(ms)
      for (const [at, [name]] of BROKEN.entries())
        await expect.poll(() => [peers[at]?.requests.length, peers[at]?.open.size], { message: name }).toEqual([time + 1, 0])
    }
    await expect.poll(() => reported.length).toBe(BROKEN.length)
    for (const [at, [name, , observed]] of BROKEN.entries()) {
      const found = reported.find(({ publicId }) => publicId === idOf(at))
      expect(found, name).toMatchObject({ kind: 'UNREACHABLE', fingerprint: '', severity: 'LOW', occurrences: 3 })
      expect(found?.items.map((item) => item.address)).toEqual(Array(3).fill('127.0.0.1'))
      for (const item of found?.items ?? []) expect(item.observed, name).toContain(observed)
    }
    expect(redirectTarget.requests, 'no redirect is followed').toEqual([])
    for (const peer of peers) peer.answer = echo
    app.clock.advance(RETRY_MS)
    await expect.poll(() => resolved.toSorted()).toEqual(BROKEN.map((_, at) => idOf(at)))
    expect(reported).toHaveLength(BROKEN.length)
  })

  test('is reported with evidence of each failure if nothing listens', async () => {
    const { port } = await listen()
    await cleanups.pop()?.()
    const { announce, reported } = await start()
    announce('AbCd123', port)
    for (const ms of [FIRST_MS, RETRY_MS, RETRY_MS]) {
      app.clock.advance(ms)
      await severalTicks()
    }
    expect(reported.map(({ items }) => items.map((item) => item.observed))).toEqual([Array(3).fill('The connection was refused.')])
    // Later failures are not reported every minute.
    for (let time = 0; time < 3; time += 1) {
      app.clock.advance(RETRY_MS)
      await severalTicks()
    }
    expect(reported).toHaveLength(1)
  })

  test('fails after three seconds without a complete reply, whether it is silent or sends single bytes', async () => {
    const drip: Peer['answer'] = (socket) => {
      const bytes = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=us-ascii\r\n\r\n'
      let at = -1
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(bytes[(at += 1)] ?? 'x')), 50)
    }
    const [silent, slow, { announce, reported }] = [await listen(() => {}), await listen(drip), await start()]
    announce('AbCd123', silent.port)
    announce('AbCd124', slow.port)
    for (const ms of [FIRST_MS, RETRY_MS, RETRY_MS]) {
      const startedAt = performance.now()
      await advance(ms, silent)
      await expect.poll(() => slow.open.size, { interval: 20 }).toBe(0)
      expect(performance.now() - startedAt).toBeLessThan(20_000)
    }
    await expect.poll(() => reported.length).toBe(2)
    for (const { items } of reported)
      for (const item of items) expect(item.observed).toContain('no complete reply arrived within 3 seconds')
  })

  test('is reported even if it reconnects between probes or changes its port each time', async () => {
    const [one, two] = [await listen((socket) => socket.destroy()), await listen((socket) => socket.destroy())]
    const { announce, leave, reported } = await start()
    announce('AbCd123', one.port)
    await advance(FIRST_MS, one)
    leave('AbCd123')
    app.clock.advance(RETRY_MS)
    announce('AbCd123', two.port)
    await advance(FIRST_MS, two)
    announce('AbCd123', one.port)
    app.clock.advance(FIRST_MS)
    await severalTicks()
    expect(one.requests, 'at most one probe a minute, even if it moves').toHaveLength(1)
    await advance(RETRY_MS, one)
    await expect.poll(() => reported.length).toBe(1)
  })
})

test('a failure counts even if the server moves or briefly goes offline during the probe', async () => {
  const { announce, leave, reported } = await start()
  const evades = (publicId: string, port: (own: number) => number) =>
    listen((socket) => {
      leave(publicId)
      announce(publicId, port(peers[publicId]?.port ?? 0))
      reply(socket, '404 Not Found', '')
    })
  const goesOffline = (publicId: string) =>
    listen((socket) => {
      leave(publicId)
      socket.destroy()
    })
  const peers: Record<string, Peer> = {
    AbCd121: await evades('AbCd121', (own) => own),
    AbCd122: await evades('AbCd122', (own) => own + 1),
    AbCd123: await goesOffline('AbCd123'),
  }
  for (const ms of [FIRST_MS, RETRY_MS, RETRY_MS]) {
    expect(reported).toEqual([])
    for (const [publicId, peer] of Object.entries(peers)) announce(publicId, peer.port)
    app.clock.advance(ms)
    await severalTicks()
  }
  await expect
    .poll(() => reported.map(({ publicId, ownerId }) => [publicId, ownerId]).toSorted())
    .toEqual(Object.keys(peers).map((publicId) => [publicId, 'o']))
})

test('errors from a firewall count as failures, and errors of this machine do not', async () => {
  const resultOf = async (code: string, address: string) => (await outcomeOf(Object.assign(new Error(code), { code }), address)).result
  for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'EACCES', 'EPERM', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])
    expect(await resultOf(code, '127.0.0.1'), code).toBe('failed')
  // This machine has no route to the address.
  expect(await resultOf('ENETUNREACH', 'fe80::1')).toBe('inconclusive')
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN'])
    expect(await resultOf(code, '127.0.0.1'), code).toBe('inconclusive')
})

test('an issue resolves when the server announces from an address that is not probed', async () => {
  const owner = await app.newUser()
  const { public_id: publicId } = await buildServer(owner)
  await raiseIssue(app, owner, { kind: 'UNREACHABLE', publicId })
  const [peer, { announce, resolved }] = [await listen(), await start({ REACHABILITY_PRIVATE: 'off' })]
  announce(publicId, peer.port, { fields: { ownerId: owner.id } })
  app.clock.advance(FIRST_MS)
  await expect.poll(() => resolved).toEqual([publicId])
  expect(peer.requests).toEqual([])
})

describe('the check contacts', () => {
  test('only the address of the announce, at the announced port', async () => {
    const [server, host, cdn] = [await listen(), await listen(echo, '127.0.0.2'), await listen(echo, '127.0.0.3')]
    const { announce } = await start()
    const announced = { port: server.port, host: `127.0.0.2:${host.port}`, useCdn: true, cdnUrl: `http://127.0.0.3:${cdn.port}/` }
    announce('AbCd123', server.port, { announced })
    await advance(FIRST_MS, server)
    expect([host.requests, cdn.requests]).toEqual([[], []])
  })

  test('no private address unless configured', async () => {
    const [four, six] = [await listen(), await listen(echo, '::1')]
    const { announce, reported } = await start({ REACHABILITY_PRIVATE: 'off' })
    const addresses = ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', 'fd00::1']
    addresses.forEach((address, at) => announce(`AbCd1${at + 10}`, four.port, { address }))
    announce('AbCd123', six.port, { address: '::1' })
    for (let time = 0; time < 4; time += 1) {
      app.clock.advance(ROUND_MS)
      await severalTicks()
    }
    expect([four.requests, six.requests, reported]).toEqual([[], [], []])
  })

  test('no server while it is switched off', async () => {
    const [peer, { announce }] = [await listen(), await start({ REACHABILITY: 'off' })]
    announce('AbCd123', peer.port)
    app.clock.advance(ROUND_MS)
    await severalTicks()
    expect(peer.requests).toEqual([])
  })

  test('no host name in place of an address', async () => {
    const [peer, { announce, reported }] = [await listen(), await start()]
    announce('AbCd123', peer.port, { address: 'localhost' })
    app.clock.advance(ROUND_MS)
    await severalTicks()
    expect([peer.requests, reported]).toEqual([[], []])
  })

  test('no offline server, and none whose credential no longer works', async () => {
    const [peer, { announce, leave }] = [await listen(), await start()]
    announce('AbCd123', peer.port)
    leave('AbCd123')
    announce('AbCd124', peer.port, { credentialId: 'gone' })
    app.clock.advance(ROUND_MS)
    await severalTicks()
    expect(peer.requests).toEqual([])
  })
})

describe('many servers', () => {
  test('at one address are probed two at a time, and all of them are probed', async () => {
    // Unanswered requests. Connections close slightly later.
    let [inFlight, max] = [0, 0]
    const slow: Peer['answer'] = (socket, request) => {
      inFlight += 1
      max = Math.max(max, inFlight)
      setTimeout(() => {
        inFlight -= 1
        echo(socket, request)
      }, 30)
    }
    const [peer, { announce, reported }] = [await listen(slow), await start()]
    for (let at = 0; at < 40; at += 1) announce(`AbCd1${at + 10}`, peer.port)
    await advance(FIRST_MS, peer, 40)
    expect(max).toBeLessThanOrEqual(2)
    expect(reported).toEqual([])
  })

  test('that are silent do not block the others', async () => {
    const silent = await listen(() => {}, '0.0.0.0')
    const healthy = await listen()
    const { announce, leave } = await start()
    for (let at = 0; at < 60; at += 1) announce(`Silent${at + 10}`, silent.port, { address: `127.0.1.${at + 1}` })
    app.clock.advance(FIRST_MS)
    // All of them have failed once, so they count as failing now.
    await expect.poll(() => silent.requests.length, { timeout: 15_000 }).toBe(60)
    await expect.poll(() => silent.open.size).toBe(0)
    app.clock.advance(RETRY_MS)
    await expect.poll(() => silent.open.size).toBeGreaterThan(10)
    expect(silent.open.size).toBeLessThanOrEqual(16)
    announce('AbCd123', healthy.port)
    // A repaired server that restarts moves up, although its job was last in the failing queue.
    const repaired = await listen(echo, '127.0.1.60')
    leave('Silent69')
    announce('Silent69', repaired.port, { address: '127.0.1.60' })
    app.clock.advance(FIRST_MS)
    const startedAt = performance.now()
    await expect.poll(() => [healthy.requests.length, repaired.requests.length], { interval: 20 }).toEqual([1, 1])
    expect(performance.now() - startedAt).toBeLessThan(9000)
  })

  test('that become silent together are not reported, because this network may be down', async () => {
    const peers = await Promise.all(Array.from({ length: 6 }, (_, at) => listen(echo, `127.0.2.${at + 1}`)))
    const { announce, reported } = await start()
    peers.forEach((peer, at) => announce(`AbCd12${at}`, peer.port, { address: `127.0.2.${at + 1}` }))
    const advanceBy = async (ms: number) => {
      app.clock.advance(ms)
      await severalTicks()
    }
    await advanceBy(FIRST_MS)
    expect(peers.map((peer) => peer.requests.length)).toEqual(Array(6).fill(1))
    for (const peer of peers) peer.answer = (socket) => socket.destroy()
    await advanceBy(ROUND_MS)
    for (let time = 0; time < 4; time += 1) await advanceBy(RETRY_MS)
    expect(peers.every((peer) => peer.requests.length >= 4)).toBe(true)
    expect(reported).toEqual([])
    // Two answer, so the network works, and the others that keep failing are reported.
    const [first, ...others] = peers
    for (const peer of peers) if (peer === first || peer === others[0]) peer.answer = echo
    for (let time = 0; time < 4; time += 1) await advanceBy(RETRY_MS)
    expect(reported.map(({ publicId }) => publicId).toSorted()).toEqual(['AbCd122', 'AbCd123', 'AbCd124', 'AbCd125'])
  })
})

test('closing aborts a running probe immediately and leaves no open connection', async () => {
  const [peer, { announce, service, reported }] = [await listen(() => {}), await start()]
  announce('AbCd123', peer.port)
  app.clock.advance(FIRST_MS)
  await expect.poll(() => peer.open.size).toBe(1)
  const startedAt = performance.now()
  await service.close()
  expect(performance.now() - startedAt).toBeLessThan(2500)
  await expect.poll(() => peer.open.size).toBe(0)
  expect(reported).toEqual([])
})

test('a transfer resets the failures of a server', async () => {
  const [peer, { announce, reported }] = [await listen((socket) => socket.destroy()), await start()]
  announce('AbCd123', peer.port)
  await advance(FIRST_MS, peer)
  await advance(RETRY_MS, peer)
  announce('AbCd123', peer.port, { fields: { ownerId: 'p' } })
  await advance(FIRST_MS, peer)
  await settle()
  expect(reported).toEqual([])
})
