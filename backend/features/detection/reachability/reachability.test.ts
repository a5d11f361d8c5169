/** The check itself, against whatever may listen where a game server says it is. What follows from a finding: `unreachable.test.ts`. */
import { createHash, createHmac } from 'node:crypto'
import { type Server, type Socket, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HEALTHY } from '#tests/healthy-database.ts'
import { readEnv } from '#backend/platform/env.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
import { localBus } from '#backend/platform/cluster/bus.ts'
import { createLog } from '#backend/platform/log.ts'
import { answerProbes, isValidProbeToken } from '#backend/cli/simulate/answer-probes.ts'
import { type Profile, profilesFor } from '#backend/cli/simulate/profiles.ts'
import { buildServer } from '#tests/factories.ts'
import { raiseOne } from '#tests/findings.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { outcomeOf } from './probe.ts'
import { type CheckedServer, ReachabilityCheck } from './reachability.ts'

const FIRST = 11_000
const AGAIN = 67_000
const ROUND = 661_000
const BEAT_MS = 20
const CREDENTIAL = 'mst_AbCd123_0123456789abcdefghijklmnopqrstuvwxyz'

let app: TestApp
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  app = await startApp()
})

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Peer {
  readonly port: number
  /** The first bytes of each connection. */
  readonly heard: string[]
  /** Connections that are open now. */
  readonly open: Set<Socket>
  answer: (socket: Socket, request: string) => void
}

/** Something that listens. */
async function listen(answer: Peer['answer'] = echo, host = '127.0.0.1'): Promise<Peer> {
  const heard: string[] = []
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.once('data', (data) => {
      const request = String(data)
      // Somebody who still looks for the program that had this port before.
      if (challengeIn(request) === '') return socket.destroy()
      heard.push(request)
      return peer.answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as { port: number }
  const peer: Peer = { port, heard, open, answer }
  ends.push(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
  return peer
}

const challengeIn = (request: string) => /^GET \/\.well-known\/muster\/(\S+) HTTP\/1\.1\r\n/.exec(request)?.[1] ?? ''
const say = (socket: Socket, status: string, body: string, headers = '') =>
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`)
const echo: Peer['answer'] = (socket, request) => say(socket, '200 OK', challengeIn(request))

interface Check {
  readonly raised: Finding[]
  readonly cleared: string[]
  readonly service: ReachabilityCheck
  readonly servers: Map<string, CheckedServer>
  /** A server announces. */
  readonly announce: (publicId: string, port: number, more?: Partial<CheckedServer>) => void
  readonly leave: (publicId: string) => void
  /** Whether it asked the list to be told of players who come and go. */
  readonly wantsCounts: () => boolean
}

/** The check of a list that holds what a test says. */
async function start(variables: Record<string, string> = {}): Promise<Check> {
  const raised: Finding[] = []
  const cleared: string[] = []
  const servers = new Map<string, CheckedServer>()
  let tell: (changes: readonly { publicId: string }[]) => void = () => {}
  let wantsCounts = (): boolean => expect.unreachable('It follows no list.')
  const env = readEnv({ REACHABILITY: 'warn', REACHABILITY_PRIVATE: 'on', ...variables })
  const deps = {
    env,
    db: app.db,
    databaseHealth: HEALTHY,
    clock: app.clock,
    log: createLog('silent'),
    bus: localBus('test'),
    fetchPublic: () => Promise.reject(new Error('unused')),
  }
  const list = {
    registry: { get: (publicId: string) => servers.get(publicId), all: () => servers.values() },
    onChange(listener: typeof tell, wants: typeof wantsCounts) {
      tell = listener
      wantsCounts = wants
      return () => {
        tell = () => {}
      }
    },
  }
  const findings = {
    report: (finding: Finding) => void raised.push(finding),
    resolve: (_kind: string, publicId: string) => void cleared.push(publicId),
  }
  const service = new ReachabilityCheck(deps, list, findings, () => true, BEAT_MS)
  await service.start()
  ends.push(() => service.close())
  const key = createHash('sha256').update(CREDENTIAL).digest().toString('latin1')
  return {
    raised,
    cleared,
    service,
    servers,
    wantsCounts: () => wantsCounts(),
    announce(publicId, port, more = {}) {
      const credentials = [{ id: 'c', key }]
      const usual = { online: true, address: '127.0.0.1', announced: { port }, fields: { ownerId: 'o' }, credentialId: 'c', credentials }
      servers.set(publicId, { publicId, ...usual, ...more })
      tell([{ publicId }])
    },
    leave(publicId) {
      const server = servers.get(publicId)
      if (server !== undefined) servers.set(publicId, { ...server, online: false })
      tell([{ publicId }])
    },
  }
}

/** Lets the time pass, and waits until a connection has come and gone. */
async function pass(ms: number, peer: Peer, times = 1): Promise<void> {
  const before = peer.heard.length
  app.clock.advance(ms)
  await expect.poll(() => peer.heard.length, { interval: 20 }).toBe(before + times)
  await expect.poll(() => peer.open.size, { interval: 20 }).toBe(0)
  await quiet()
}

/** In pieces: between two of them whatever has arrived is read, and a beat comes by, however busy the machine is. */
async function quiet(pieces = 6): Promise<void> {
  for (let piece = 0; piece < pieces; piece += 1) await sleep(10)
}

/** Long enough that a beat would have begun what is due, and that both sides would have said what they say at once. */
const wouldHaveBegun = () => quiet(25)

describe('a game server that answers', () => {
  test('is asked soon after it came online and then about each ten minutes, and nothing is found', async () => {
    const [peer, { announce, raised, cleared }] = [await listen(), await start()]
    announce('AbCd123', peer.port)
    await wouldHaveBegun()
    expect(peer.heard, 'it announces a moment before it listens').toEqual([])
    await pass(FIRST, peer)
    app.clock.advance(AGAIN)
    await wouldHaveBegun()
    expect(peer.heard).toHaveLength(1)
    await pass(ROUND, peer)
    expect([raised, cleared]).toEqual([[], []])
  })

  test('can tell the check from anybody else’s, by what docs/api.md says alone', async () => {
    const [peer, { announce }] = [await listen(), await start()]
    announce('AbCd123', peer.port)
    await pass(FIRST, peer)
    const request = peer.heard[0] ?? ''
    const challenge = challengeIn(request)
    const host = /\r\nhost: (\S+)\r\n/i.exec(request)?.[1] ?? ''
    expect(host).toBe(`127.0.0.1:${peer.port}`)
    const [publicId, expires, nonce, signature] = challenge.split('.')
    expect(publicId).toBe('AbCd123')
    expect(Number(expires) * 1000 - app.clock.now()).toBeLessThanOrEqual(60_000)
    const key = createHash('sha256').update(CREDENTIAL).digest()
    const right = createHmac('sha256', key).update(`${publicId}.${expires}.${nonce}.${host}`).digest('base64url')
    expect(signature).toBe(right)
    expect(request).not.toContain(CREDENTIAL)
    // What the simulated servers do with it.
    expect(isValidProbeToken(challenge, host, { publicId: 'AbCd123', credential: CREDENTIAL })).toBe(true)
    expect(isValidProbeToken(challenge, '127.0.0.1:1', { publicId: 'AbCd123', credential: CREDENTIAL })).toBe(false)
    expect(isValidProbeToken(challenge, host, { publicId: 'AbCd124', credential: CREDENTIAL })).toBe(false)
    expect(isValidProbeToken(challenge, host, { publicId: 'AbCd123', credential: `${CREDENTIAL}x` })).toBe(false)
  })

  test('may answer in pieces, and with a line break at its end', async () => {
    const chunked: Peer['answer'] = (socket, request) => {
      const body = `${challengeIn(request)}\n`
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      setTimeout(() => socket.end(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`), 50)
    }
    const [peer, { announce, raised }] = [await listen(chunked), await start()]
    announce('AbCd123', peer.port)
    for (const ms of [FIRST, ROUND, ROUND]) await pass(ms, peer)
    expect(raised).toEqual([])
  })
})

test('who joins and leaves the servers is nothing that the check has the list tell it, though that is nearly all that changes', async () => {
  const { wantsCounts } = await start()
  expect(wantsCounts()).toBe(false)
})

test('a simulated game server answers the list, and nobody else', async () => {
  const { port } = await listen()
  await ends.pop()?.()
  const listening = await answerProbes({
    publicId: 'AbCd123',
    credential: CREDENTIAL,
    profile: { ...profilesFor(1, 1)[0], port } as Profile,
  })
  ends.push(async () => listening?.close())
  const { announce, raised, cleared } = await start()
  announce('AbCd123', port)
  announce('AbCd124', port)
  for (const ms of [FIRST, AGAIN, AGAIN]) {
    app.clock.advance(ms)
    await wouldHaveBegun()
  }
  expect(raised.map(({ publicId }) => publicId)).toEqual(['AbCd124'])
  expect(cleared).toEqual([])
})

const BROKEN: readonly (readonly [string, Peer['answer'], string])[] = [
  ['says something else', (socket) => say(socket, '200 OK', 'hello'), 'it is not the challenge'],
  ['does not know the check', (socket) => say(socket, '404 Not Found', ''), 'the status 404'],
  [
    'leads elsewhere',
    (socket, request) => say(socket, '302 Found', challengeIn(request), `location: http://127.0.0.1:${elsewhere.port}/\r\n`),
    'the status 302',
  ],
  ['closes at once', (socket) => socket.destroy(), 'closed before an answer'],
  ['answers half', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'), 'closed before an answer'],
  ['speaks no HTTP', (socket) => socket.end('220 smtp.example ESMTP\r\n'), 'does not speak HTTP'],
  ['says only that it will answer', (socket) => endless(socket, 'HTTP/1.1 102 Processing\r\n\r\n'), 'does not speak HTTP'],
  ['switches protocols', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), 'HTTP'],
  ['never stops its headers', (socket) => endless(socket, 'x: y\r\n', 'HTTP/1.1 200 OK\r\n'), 'larger than'],
  ['never stops its body', (socket) => endless(socket, 'x'.repeat(1000), 'HTTP/1.1 200 OK\r\n\r\n'), 'larger than'],
  [
    'never stops its pieces',
    (socket) => endless(socket, '3e8\r\n' + 'x'.repeat(1000) + '\r\n', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
    'larger than',
  ],
]
let elsewhere: Peer

/** Writes without end, as fast as the other side takes it. */
function endless(socket: Socket, text: string, first = ''): void {
  if (first !== '') socket.write(first)
  const more = () => {
    if (socket.destroyed) return
    if (socket.write(text)) setImmediate(more)
    else socket.once('drain', more)
  }
  more()
}

describe('a game server that does not answer', () => {
  test('is found after the third time in a row, however it fails, and cleared with the first answer', async () => {
    elsewhere = await listen()
    const { announce, raised, cleared } = await start()
    const peers = await Promise.all(BROKEN.map(([, answer]) => listen(answer)))
    const idOf = (at: number) => `AbCd1${at + 10}`
    peers.forEach(({ port }, at) => announce(idOf(at), port))
    for (const [time, ms] of [FIRST, AGAIN, AGAIN].entries()) {
      expect(raised).toEqual([])
      app.clock.advance(ms)
      for (const [at, [name]] of BROKEN.entries())
        await expect.poll(() => [peers[at]?.heard.length, peers[at]?.open.size], { message: name }).toEqual([time + 1, 0])
    }
    await expect.poll(() => raised.length).toBe(BROKEN.length)
    for (const [at, [name, , observed]] of BROKEN.entries()) {
      const found = raised.find(({ publicId }) => publicId === idOf(at))
      expect(found, name).toMatchObject({ kind: 'UNREACHABLE', fingerprint: '', severity: 'LOW', occurrences: 3 })
      expect(found?.items.map((item) => item.address)).toEqual(Array(3).fill('127.0.0.1'))
      for (const item of found?.items ?? []) expect(item.observed, name).toContain(observed)
    }
    expect(elsewhere.heard, 'no redirect is followed').toEqual([])
    for (const peer of peers) peer.answer = echo
    app.clock.advance(AGAIN)
    await expect.poll(() => cleared.toSorted()).toEqual(BROKEN.map((_, at) => idOf(at)))
    expect(raised).toHaveLength(BROKEN.length)
  })

  test('because nothing listens there is found with what happened each time', async () => {
    const { port } = await listen()
    await ends.pop()?.()
    const { announce, raised } = await start()
    announce('AbCd123', port)
    for (const ms of [FIRST, AGAIN, AGAIN]) {
      app.clock.advance(ms)
      await wouldHaveBegun()
    }
    expect(raised.map(({ items }) => items.map((item) => item.observed))).toEqual([Array(3).fill('The connection was refused.')])
    // It goes on, but the issue is not written each minute.
    for (let time = 0; time < 3; time += 1) {
      app.clock.advance(AGAIN)
      await wouldHaveBegun()
    }
    expect(raised).toHaveLength(1)
  })

  test('holds its connection for three seconds and no longer, whether it says nothing or one byte after the other', async () => {
    const drip: Peer['answer'] = (socket) => {
      const bytes = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=us-ascii\r\n\r\n'
      let at = -1
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(bytes[(at += 1)] ?? 'x')), 50)
    }
    const [silent, slow, { announce, raised }] = [await listen(() => {}), await listen(drip), await start()]
    announce('AbCd123', silent.port)
    announce('AbCd124', slow.port)
    for (const ms of [FIRST, AGAIN, AGAIN]) {
      const began = performance.now()
      await pass(ms, silent)
      await expect.poll(() => slow.open.size, { interval: 20 }).toBe(0)
      expect(performance.now() - began).toBeLessThan(5500)
    }
    await expect.poll(() => raised.length).toBe(2)
    for (const { items } of raised) for (const item of items) expect(item.observed).toContain('no whole answer came within 3 seconds')
  })

  test('is found though it comes and goes between the checks, or says each time that it is elsewhere', async () => {
    const [one, two] = [await listen((socket) => socket.destroy()), await listen((socket) => socket.destroy())]
    const { announce, leave, raised } = await start()
    announce('AbCd123', one.port)
    await pass(FIRST, one)
    leave('AbCd123')
    app.clock.advance(AGAIN)
    announce('AbCd123', two.port)
    await pass(FIRST, two)
    announce('AbCd123', one.port)
    app.clock.advance(FIRST)
    await wouldHaveBegun()
    expect(one.heard, 'however often it moves, it is asked once a minute').toHaveLength(1)
    await pass(AGAIN, one)
    await expect.poll(() => raised.length).toBe(1)
  })
})

test('a failure counts though the server says, while it is asked, that it is elsewhere, or goes for a moment', async () => {
  const { announce, leave, raised } = await start()
  const evades = (publicId: string, port: (own: number) => number) =>
    listen((socket) => {
      leave(publicId)
      announce(publicId, port(peers[publicId]?.port ?? 0))
      say(socket, '404 Not Found', '')
    })
  const goes = (publicId: string) =>
    listen((socket) => {
      leave(publicId)
      socket.destroy()
    })
  const peers: Record<string, Peer> = {
    AbCd121: await evades('AbCd121', (own) => own),
    AbCd122: await evades('AbCd122', (own) => own + 1),
    AbCd123: await goes('AbCd123'),
  }
  for (const ms of [FIRST, AGAIN, AGAIN]) {
    expect(raised).toEqual([])
    for (const [publicId, peer] of Object.entries(peers)) announce(publicId, peer.port)
    app.clock.advance(ms)
    await wouldHaveBegun()
  }
  await expect
    .poll(() => raised.map(({ publicId, ownerId }) => [publicId, ownerId]).toSorted())
    .toEqual(Object.keys(peers).map((publicId) => [publicId, 'o']))
})

test('what a firewall says counts as what a silent server does; only what our own machine lacks does not', async () => {
  const outcome = async (code: string, address: string) => (await outcomeOf(Object.assign(new Error(code), { code }), address)).is
  for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'EACCES', 'EPERM', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])
    expect(await outcome(code, '127.0.0.1'), code).toBe('failed')
  // An address that our own machine knows no way to.
  expect(await outcome('ENETUNREACH', 'fe80::1')).toBe('undecided')
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN'])
    expect(await outcome(code, '127.0.0.1'), code).toBe('undecided')
})

test('what was found ends where the server announces from an address that is not asked', async () => {
  const owner = await app.someone()
  const { public_id: publicId } = await buildServer(owner)
  await raiseOne(app, owner, { kind: 'UNREACHABLE', publicId })
  const [peer, { announce, cleared }] = [await listen(), await start({ REACHABILITY_PRIVATE: 'off' })]
  announce(publicId, peer.port, { fields: { ownerId: owner.id } })
  app.clock.advance(FIRST)
  await expect.poll(() => cleared).toEqual([publicId])
  expect(peer.heard).toEqual([])
})

describe('nothing is contacted', () => {
  test('but the address that the announce came from, at the announced port', async () => {
    const [at, host, cdn] = [await listen(), await listen(echo, '127.0.0.2'), await listen(echo, '127.0.0.3')]
    const { announce } = await start()
    const announced = { port: at.port, host: `127.0.0.2:${host.port}`, useCdn: true, cdnUrl: `http://127.0.0.3:${cdn.port}/` }
    announce('AbCd123', at.port, { announced })
    await pass(FIRST, at)
    expect([host.heard, cdn.heard]).toEqual([[], []])
  })

  test('at an address that is not on the public internet, unless private addresses are to be checked', async () => {
    const [four, six] = [await listen(), await listen(echo, '::1')]
    const { announce, raised } = await start({ REACHABILITY_PRIVATE: 'off' })
    const addresses = ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', 'fd00::1']
    addresses.forEach((address, at) => announce(`AbCd1${at + 10}`, four.port, { address }))
    announce('AbCd123', six.port, { address: '::1' })
    for (let time = 0; time < 4; time += 1) {
      app.clock.advance(ROUND)
      await wouldHaveBegun()
    }
    expect([four.heard, six.heard, raised]).toEqual([[], [], []])
  })

  test('where the check is switched off', async () => {
    const [peer, { announce }] = [await listen(), await start({ REACHABILITY: 'off' })]
    announce('AbCd123', peer.port)
    app.clock.advance(ROUND)
    await wouldHaveBegun()
    expect(peer.heard).toEqual([])
  })

  test('by a name, whatever stands where the address should', async () => {
    const [peer, { announce, raised }] = [await listen(), await start()]
    announce('AbCd123', peer.port, { address: 'localhost' })
    app.clock.advance(ROUND)
    await wouldHaveBegun()
    expect([peer.heard, raised]).toEqual([[], []])
  })

  test('about a server that went offline, or announces with a credential that works no more', async () => {
    const [peer, { announce, leave }] = [await listen(), await start()]
    announce('AbCd123', peer.port)
    leave('AbCd123')
    announce('AbCd124', peer.port, { credentialId: 'gone' })
    app.clock.advance(ROUND)
    await wouldHaveBegun()
    expect(peer.heard).toEqual([])
  })
})

describe('many', () => {
  test('at one address are asked two at a time, and each gets its turn', async () => {
    // What was asked and not answered: a connection that is over closes here somewhat later.
    let [inHand, most] = [0, 0]
    const slow: Peer['answer'] = (socket, request) => {
      inHand += 1
      most = Math.max(most, inHand)
      setTimeout(() => {
        inHand -= 1
        echo(socket, request)
      }, 30)
    }
    const [peer, { announce, raised }] = [await listen(slow), await start()]
    for (let at = 0; at < 40; at += 1) announce(`AbCd1${at + 10}`, peer.port)
    await pass(FIRST, peer, 40)
    expect(most).toBeLessThanOrEqual(2)
    expect(raised).toEqual([])
  })

  test('silent ones at many addresses do not keep the others waiting', async () => {
    const silent = await listen(() => {}, '0.0.0.0')
    const sound = await listen()
    const { announce, leave } = await start()
    for (let at = 0; at < 60; at += 1) announce(`Silent${at + 10}`, silent.port, { address: `127.0.1.${at + 1}` })
    app.clock.advance(FIRST)
    // All of them have failed once; from now on they are the ones that wait.
    await expect.poll(() => silent.heard.length, { timeout: 15_000 }).toBe(60)
    await expect.poll(() => silent.open.size).toBe(0)
    app.clock.advance(AGAIN)
    await expect.poll(() => silent.open.size).toBeGreaterThan(10)
    expect(silent.open.size).toBeLessThanOrEqual(16)
    announce('AbCd123', sound.port)
    // Whoever put his right restarts it, though it waits already: the last of them all.
    const mended = await listen(echo, '127.0.1.60')
    leave('Silent69')
    announce('Silent69', mended.port, { address: '127.0.1.60' })
    app.clock.advance(FIRST)
    const began = performance.now()
    await expect.poll(() => [sound.heard.length, mended.heard.length], { interval: 20 }).toEqual([1, 1])
    expect(performance.now() - began).toBeLessThan(2500)
  })

  test('that answered before and fall silent together are not found: it may be our own way out', async () => {
    const peers = await Promise.all(Array.from({ length: 6 }, (_, at) => listen(echo, `127.0.2.${at + 1}`)))
    const { announce, raised } = await start()
    peers.forEach((peer, at) => announce(`AbCd12${at}`, peer.port, { address: `127.0.2.${at + 1}` }))
    const go = async (ms: number) => {
      app.clock.advance(ms)
      await wouldHaveBegun()
    }
    await go(FIRST)
    expect(peers.map((peer) => peer.heard.length)).toEqual(Array(6).fill(1))
    for (const peer of peers) peer.answer = (socket) => socket.destroy()
    await go(ROUND)
    for (let time = 0; time < 4; time += 1) await go(AGAIN)
    expect(peers.every((peer) => peer.heard.length >= 4)).toBe(true)
    expect(raised).toEqual([])
    // One answers, so the way is open: of the others those that fail on are found.
    const [first, ...others] = peers
    for (const peer of peers) if (peer === first || peer === others[0]) peer.answer = echo
    for (let time = 0; time < 4; time += 1) await go(AGAIN)
    expect(raised.map(({ publicId }) => publicId).toSorted()).toEqual(['AbCd122', 'AbCd123', 'AbCd124', 'AbCd125'])
  })
})

test('it ends at once while a server keeps it waiting, and leaves no connection behind', async () => {
  const [peer, { announce, service, raised }] = [await listen(() => {}), await start()]
  announce('AbCd123', peer.port)
  app.clock.advance(FIRST)
  await expect.poll(() => peer.open.size).toBe(1)
  const began = performance.now()
  await service.close()
  expect(performance.now() - began).toBeLessThan(500)
  await expect.poll(() => peer.open.size).toBe(0)
  expect(raised).toEqual([])
})

test('a server that changed hands begins anew: what its former owner’s failed at is not the next one’s', async () => {
  const [peer, { announce, raised }] = [await listen((socket) => socket.destroy()), await start()]
  announce('AbCd123', peer.port)
  await pass(FIRST, peer)
  await pass(AGAIN, peer)
  announce('AbCd123', peer.port, { fields: { ownerId: 'p' } })
  await pass(FIRST, peer)
  await quiet()
  expect(raised).toEqual([])
})
