/** Game servers that do not answer the reachability check. `unreachable.test.ts` tests the consequences of a finding. */
import { type Socket } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import {
  FIRST_MS,
  RETRY_MS,
  type Peer,
  advance,
  echo,
  listen,
  reply,
  settle,
  severalTicks,
  startCheck,
  tokenIn,
} from '#tests/reachability.ts'
import { outcomeOf } from './ask-tcp.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
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
    const { announce, reported, resolved } = await startCheck(app)
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
    const { port, close } = await listen()
    await close()
    const { announce, reported } = await startCheck(app)
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
    const [silent, slow, { announce, reported }] = [await listen(() => {}), await listen(drip), await startCheck(app)]
    announce('AbCd123', silent.port)
    announce('AbCd124', slow.port)
    for (const ms of [FIRST_MS, RETRY_MS, RETRY_MS]) {
      const startedAt = performance.now()
      await advance(app, ms, silent)
      await expect.poll(() => slow.open.size, { interval: 20 }).toBe(0)
      expect(performance.now() - startedAt).toBeLessThan(20_000)
    }
    await expect.poll(() => reported.length).toBe(2)
    for (const { items } of reported)
      for (const item of items) expect(item.observed).toContain('no complete reply arrived within 3 seconds')
  })

  test('is reported even if it reconnects between probes or changes its port each time', async () => {
    const [one, two] = [await listen((socket) => socket.destroy()), await listen((socket) => socket.destroy())]
    const { announce, leave, reported } = await startCheck(app)
    announce('AbCd123', one.port)
    await advance(app, FIRST_MS, one)
    leave('AbCd123')
    app.clock.advance(RETRY_MS)
    announce('AbCd123', two.port)
    await advance(app, FIRST_MS, two)
    announce('AbCd123', one.port)
    app.clock.advance(FIRST_MS)
    await severalTicks()
    expect(one.requests, 'at most one probe a minute, even if it moves').toHaveLength(1)
    await advance(app, RETRY_MS, one)
    await expect.poll(() => reported.length).toBe(1)
  })
})

test('a failure counts even if the server moves or briefly goes offline during the probe', async () => {
  const { announce, leave, reported } = await startCheck(app)
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
  const [peer, { announce, resolved }] = [await listen(), await startCheck(app, { REACHABILITY_PRIVATE: 'off' })]
  announce(publicId, peer.port, { fields: { ownerId: owner.id } })
  app.clock.advance(FIRST_MS)
  await expect.poll(() => resolved).toEqual([publicId])
  expect(peer.requests).toEqual([])
})

test('a transfer resets the failures of a server', async () => {
  const [peer, { announce, reported }] = [await listen((socket) => socket.destroy()), await startCheck(app)]
  announce('AbCd123', peer.port)
  await advance(app, FIRST_MS, peer)
  await advance(app, RETRY_MS, peer)
  announce('AbCd123', peer.port, { fields: { ownerId: 'p' } })
  await advance(app, FIRST_MS, peer)
  await settle()
  expect(reported).toEqual([])
})
