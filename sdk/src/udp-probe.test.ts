/** The answer to the list's UDP probe, as bytes and on a socket. */
import { createHash, createHmac } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { accepted, start, started } from './testing/list-function.ts'
import type { AnnounceOptions } from './types.ts'
import { udpAnswer } from './udp-probe.ts'

const CREDENTIAL = 'mst_3kjT6ZU_hS7cuceGxoNABmpgCPKMGDW9TUCLSz4cmdBT'
const random = Uint8Array.from({ length: 32 }, (_, index) => index)
const PROBE = Buffer.concat([Buffer.from('MUSTER1 '), random, Buffer.alloc(24)])

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(started.splice(0).map((server) => server.stop()))
})

/** What the list computes. */
function expectedAnswer(endpoint: string, credential = CREDENTIAL): string {
  const key = createHash('sha256').update(credential).digest()
  return `MUSTER1 ${createHmac('sha256', key).update(random).update(endpoint).digest('hex')}`
}
const textOf = (answer: Uint8Array | undefined) =>
  answer && `${Buffer.from(answer.subarray(0, 8)).toString()}${Buffer.from(answer.subarray(8)).toString('hex')}`

test('the answer to the example in docs/announcing.md is the one that it states', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/announcing.md'), 'utf8')
  const [, credential, bytes = '', endpoint, answer] =
    /\| credential \| `(.+)` \|\n\| random bytes \| `(.+)` \|\n\| endpoint \| `(.+)` \|\n\| answer \| `(.+)` \|/.exec(text) ?? []
  const probe = Buffer.concat([Buffer.from('MUSTER1 '), Buffer.from(bytes, 'hex'), Buffer.alloc(24)])
  expect(Buffer.from((await udpAnswer(probe, endpoint ?? '', credential ?? '')) ?? []).toString('hex')).toBe(answer)
})

test.each<[what: string, datagram: Uint8Array]>([
  ['an empty datagram', Buffer.alloc(0)],
  ['one byte less', PROBE.subarray(0, 63)],
  ['one byte more', Buffer.concat([PROBE, Buffer.alloc(1)])],
  ['another version', Buffer.concat([Buffer.from('MUSTER2 '), PROBE.subarray(8)])],
  ['a prefix without the space', Buffer.concat([Buffer.from('MUSTER1_'), PROBE.subarray(8)])],
  ['64 bytes of a game', Buffer.alloc(64, 0xff)],
])('%s gets no answer, and neither does an answer', async (_what, datagram) => {
  expect(await udpAnswer(datagram, ':7788', CREDENTIAL)).toBeUndefined()
  const answer = await udpAnswer(PROBE, ':7788', CREDENTIAL)
  expect(answer).toHaveLength(40)
  expect(await udpAnswer(answer ?? PROBE, ':7788', CREDENTIAL)).toBeUndefined()
})

test.each<[options: Partial<AnnounceOptions>, endpoint: string]>([
  [{}, ':7788'],
  [{ host: '' }, ':7788'],
  [{ host: 'Play.Example.COM' }, 'play.example.com:7788'],
  [{ host: 'Play.Example.COM.' }, 'play.example.com:7788'],
  [{ host: 'bücher.example.com' }, 'xn--bcher-kva.example.com:7788'],
  [{ host: '203.0.113.7' }, '203.0.113.7:7788'],
  [{ host: '2001:DB8:0:0:0:0:0:7' }, '[2001:db8::7]:7788'],
])('with %j, the answer signs the endpoint as %s', async (options, endpoint) => {
  const { server } = start(() => accepted(), { ...options, credential: ` ${CREDENTIAL}\n` })
  expect(textOf(await server.answerProbe(PROBE))).toBe(expectedAnswer(endpoint))
  expect(textOf(await server.answerProbe(PROBE))).not.toBe(expectedAnswer('other.example.com:7788'))
  expect(await server.answerProbe(Buffer.from('hello'))).toBeUndefined()
})

/** A port where a socket listens; the test's own, unless it is closed. */
async function openSocket(port = 0) {
  const socket = createSocket('udp4').bind(port)
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return socket
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => {
    socket.close(resolve)
  })
  return port
}

/** Starts an announcer that is accepted at once, and waits until it would listen. */
async function listen(options: Partial<AnnounceOptions>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { server, events } = start(() => accepted(), options)
  await vi.advanceTimersByTimeAsync(5000)
  vi.useRealTimers()
  return { server, codes: () => events.flatMap(([name, event]) => (name === 'notice' ? [(event as { code: string }).code] : [])) }
}

test('with probes, the SDK answers on its UDP port, and only probes', async () => {
  const port = await freeUdpPort()
  const { server } = await listen({ port, probe: 'udp', probes: true, host: 'a.example.com', credential: CREDENTIAL })
  const socket = await openSocket()
  const answers: string[] = []
  socket.on('message', (answer) => answers.push(textOf(answer) ?? ''))
  for (const datagram of [Buffer.from('hello'), PROBE]) socket.send(datagram, port, '127.0.0.1')
  await expect.poll(() => answers).toEqual([expectedAnswer(`a.example.com:${port}`)])
  await server.stop()
  await expect.poll(() => openSocket(port)).toBeDefined()
})

test.each<[what: string, options: Partial<AnnounceOptions>]>([
  ['unless it is asked to', { probe: 'udp', probes: undefined }],
  ['to answer by TCP', { probe: 'tcp', probes: true }],
  ['of a server that cannot be probed', { probe: 'none', probes: true }],
])('the SDK does not open the UDP port %s', async (_what, options) => {
  const port = await freeUdpPort()
  await listen({ port, ...options })
  expect((await openSocket(port)).address().port).toBe(port)
})

test('a UDP port in use is a notice', async () => {
  const { port } = (await openSocket()).address()
  const { codes } = await listen({ port, probe: 'udp', probes: true })
  await expect.poll(codes).toEqual(['PROBES_UNANSWERED'])
})
