/** Which game servers the reachability check contacts, and those that answer. */
import { createHash, createHmac } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listenForProbes, probeAnswer } from '#sdk/probe.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import {
  CREDENTIAL,
  FIRST_MS,
  RETRY_MS,
  ROUND_MS,
  type Peer,
  advance,
  echo,
  listen,
  severalTicks,
  startCheck,
  tokenIn,
} from '#tests/reachability.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

describe('a game server that answers', () => {
  test('is probed soon after it comes online, then about every ten minutes, without a finding', async () => {
    const [peer, { announce, reported, resolved }] = [await listen(), await startCheck(app)]
    announce('AbCd123', peer.port)
    await severalTicks()
    expect(peer.requests, 'it announces shortly before it listens').toEqual([])
    await advance(app, FIRST_MS, peer)
    app.clock.advance(RETRY_MS)
    await severalTicks()
    expect(peer.requests).toHaveLength(1)
    await advance(app, ROUND_MS, peer)
    expect([reported, resolved]).toEqual([[], []])
  })

  test('can verify that the list sends the probe, as docs/api.md describes', async () => {
    const [peer, { announce }] = [await listen(), await startCheck(app)]
    announce('AbCd123', peer.port)
    await advance(app, FIRST_MS, peer)
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
    const [peer, { announce, reported }] = [await listen(chunked), await startCheck(app)]
    announce('AbCd123', peer.port)
    for (const ms of [FIRST_MS, ROUND_MS, ROUND_MS]) await advance(app, ms, peer)
    expect(reported).toEqual([])
  })
})

test('the check does not subscribe to player counts, which are most of the changes', async () => {
  const { wantsCounts } = await startCheck(app)
  expect(wantsCounts()).toBe(false)
})

test('a game server on the SDK answers only probes for itself', async () => {
  const { port, close } = await listen()
  await close()
  const listening = await listenForProbes(port, (path, host) => probeAnswer(path, host, { publicId: 'AbCd123', credential: CREDENTIAL }))
  onTestFinished(async () => listening?.close())
  const { announce, reported, resolved } = await startCheck(app)
  announce('AbCd123', port)
  announce('AbCd124', port)
  for (const ms of [FIRST_MS, RETRY_MS, RETRY_MS]) {
    app.clock.advance(ms)
    await severalTicks()
  }
  expect(reported.map(({ publicId }) => publicId)).toEqual(['AbCd124'])
  expect(resolved).toEqual([])
})

describe('the check contacts', () => {
  test('neither a CDN nor a host that the server names', async () => {
    const [source, host, cdn] = [await listen(), await listen(echo, '127.0.0.2'), await listen(echo, '127.0.0.3')]
    const { announce } = await startCheck(app)
    const useCdn = { useCdn: true, cdnUrl: `http://127.0.0.3:${cdn.port}/` }
    announce('AbCd123', source.port, { announced: { port: source.port, host: '', probe: '', ...useCdn } as never })
    announce('AbCd124', host.port, { announced: { port: host.port, host: '127.0.0.2', probe: 'tcp' } })
    await advance(app, FIRST_MS, source)
    await severalTicks()
    expect([host.requests, cdn.requests]).toEqual([[], []])
  })

  test('servers that say how they can be asked, if the operator did not turn the check on for all', async () => {
    const [silent, declared, none] = [await listen(), await listen(echo, '127.0.0.2'), await listen(echo, '127.0.0.3')]
    const { announce } = await startCheck(app, {}, { probesAllServers: false })
    const announced = (port: number, probe: '' | 'tcp' | 'none') => ({ announced: { port, host: '', probe } })
    announce('AbCd123', silent.port, announced(silent.port, ''))
    announce('AbCd124', declared.port, { address: '127.0.0.2', ...announced(declared.port, 'tcp') })
    announce('AbCd125', none.port, { address: '127.0.0.3', ...announced(none.port, 'none') })
    await advance(app, FIRST_MS, declared)
    await severalTicks()
    expect([silent.requests, none.requests]).toEqual([[], []])
    // Its answer would be stored as a proof, so the first question is a decoy, which this echo server answers.
    expect(declared.requests.map(tokenIn)).toEqual([expect.not.stringContaining('AbCd124')])
  })

  test('no private address unless configured', async () => {
    const [four, six] = [await listen(), await listen(echo, '::1')]
    const { announce, reported } = await startCheck(app, { REACHABILITY_PRIVATE: 'off' })
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
    const [peer, { announce }] = [await listen(), await startCheck(app, { REACHABILITY: 'off' })]
    announce('AbCd123', peer.port)
    app.clock.advance(ROUND_MS)
    await severalTicks()
    expect(peer.requests).toEqual([])
  })

  test('no host name in place of an address', async () => {
    const [peer, { announce, reported }] = [await listen(), await startCheck(app)]
    announce('AbCd123', peer.port, { address: 'localhost' })
    app.clock.advance(ROUND_MS)
    await severalTicks()
    expect([peer.requests, reported]).toEqual([[], []])
  })

  test('no offline server, and none whose credential no longer works', async () => {
    const [peer, { announce, leave }] = [await listen(), await startCheck(app)]
    announce('AbCd123', peer.port)
    leave('AbCd123')
    announce('AbCd124', peer.port, { credentialId: 'gone' })
    app.clock.advance(ROUND_MS)
    await severalTicks()
    expect(peer.requests).toEqual([])
  })
})

describe('many servers', () => {
  test('at one address are asked two at a time and 30 a minute, and all of them are asked', async () => {
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
    const [peer, { announce, reported }] = [await listen(slow), await startCheck(app)]
    for (let at = 0; at < 40; at += 1) announce(`AbCd1${at + 10}`, peer.port)
    await advance(app, FIRST_MS, peer, 30)
    await advance(app, 61_000, peer, 10)
    expect(max).toBeLessThanOrEqual(2)
    expect(reported).toEqual([])
  })

  test('that are silent do not block the others', async () => {
    const silent = await listen(() => {}, '0.0.0.0')
    const healthy = await listen()
    const { announce, leave } = await startCheck(app)
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
    const { announce, reported } = await startCheck(app)
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
  const [peer, { announce, service, reported }] = [await listen(() => {}), await startCheck(app)]
  announce('AbCd123', peer.port)
  app.clock.advance(FIRST_MS)
  await expect.poll(() => peer.open.size).toBe(1)
  const startedAt = performance.now()
  await service.close()
  expect(performance.now() - startedAt).toBeLessThan(9000)
  await expect.poll(() => peer.open.size).toBe(0)
  expect(reported).toEqual([])
})
