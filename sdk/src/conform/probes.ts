/** Probes the announcer as a master list does, over UDP and TCP at its port. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpointOf } from '../endpoint.ts'
import { PUBLIC_ID } from './answers.ts'
import { LOOPBACK } from './dual-stack.ts'
import type { Failure, Settings } from './judge.ts'

export interface UdpProbe {
  readonly kind: 'udp'
  readonly about: string
  /** What is sent instead of a valid probe, which must not be answered. @param answer to the valid one */
  readonly instead?: (probe: Buffer, answer: Buffer) => Uint8Array
}

export interface TcpProbe {
  readonly kind: 'tcp'
  readonly about: string
  /** What makes it a probe that must not be answered. */
  readonly wrong?: 'public ID' | 'signature'
}

export type Probe = UdpProbe | TcpProbe

const HOST = LOOPBACK[4]
/** Announcers may open their port some seconds after the first announce. */
const ANSWER_MS = 15_000
const ATTEMPT_MS = 500
const PREFIX = Buffer.from('MUSTER1 ')

/** Sends one after the other. Returns the first failure. */
export async function askProbes(probes: readonly Probe[], settings: Settings): Promise<Failure[]> {
  for (const probe of probes) {
    const failure = probe.kind === 'udp' ? await askOverUdp(probe, settings) : await askOverTcp(probe, settings)
    if (failure !== undefined) return [failure]
  }
  return []
}

const keyOf = ({ credential }: Settings) => createHash('sha256').update(credential).digest()

/** The answer to a valid probe. */
const signedAnswer = (probe: Buffer, endpoint: string, settings: Settings) =>
  Buffer.concat([PREFIX, createHmac('sha256', keyOf(settings)).update(probe.subarray(8, 40)).update(endpoint).digest()])

async function askOverUdp({ about, instead }: UdpProbe, settings: Settings): Promise<Failure | undefined> {
  const { host = '', port } = settings
  const probe = Buffer.concat([PREFIX, randomBytes(32), Buffer.alloc(24)])
  const endpoint = endpointOf({ host, port })
  const expected = signedAnswer(probe, endpoint, settings)
  // A closed port is an error of the next call on some systems.
  const socket = createSocket('udp4').on('error', () => undefined)
  try {
    if (instead !== undefined) {
      const answer = await exchange(socket, instead(probe, expected), port)
      return answer && { rule: 'udp-silence', seen: `${answer.length} bytes in reply to ${about}` }
    }
    const answer = await untilDefined(() => exchange(socket, probe, port))
    if (answer?.equals(expected) === true) return undefined
    if (answer === undefined) return { rule: 'udp-answer', seen: `no answer to ${about}` }
    const others = [`:${port}`, `${HOST}:${port}`, `${host}:${port}`, host]
    const signed = others.find((other) => answer.equals(signedAnswer(probe, other, settings)))
    const what = signed === undefined ? `the answer ${answer.toString('hex')}` : `an answer that signs ${JSON.stringify(signed)}`
    return { rule: 'udp-answer', seen: `${what} to ${about}, instead of ${expected.toString('hex')}, which signs "${endpoint}"` }
  } finally {
    socket.close()
  }
}

/** The answer to a datagram, if it comes soon. */
async function exchange(socket: Socket, datagram: Uint8Array, port: number): Promise<Buffer | undefined> {
  socket.send(datagram, port, HOST)
  const answer = once(socket, 'message', { signal: AbortSignal.timeout(ATTEMPT_MS) }) as Promise<[Buffer]>
  return await answer.then(
    ([bytes]) => bytes,
    () => undefined,
  )
}

async function askOverTcp({ about, wrong }: TcpProbe, settings: Settings): Promise<Failure | undefined> {
  const { host = '', port } = settings
  const hostHeader = endpointOf({ host: host === '' ? HOST : host, port })
  const publicId = wrong === 'public ID' ? 'another' : PUBLIC_ID
  const payload = `${publicId}.${Math.floor(Date.now() / 1000) + 60}.${randomBytes(12).toString('base64url')}`
  const key = wrong === 'signature' ? randomBytes(32) : keyOf(settings)
  const token = `${payload}.${createHmac('sha256', key).update(`${payload}.${hostHeader}`).digest('base64url')}`
  const ask = () => bodyOf(port, hostHeader, `/.well-known/muster/${token}`)
  if (wrong !== undefined) return (await ask()) === token ? { rule: 'tcp-silence', seen: `the token in reply to ${about}` } : undefined
  const body = await untilDefined(ask)
  if (body === token) return undefined
  return {
    rule: 'tcp-answer',
    seen: body === undefined ? `no reply with status 200 to ${about}` : `the body ${JSON.stringify(body)} in reply to ${about}`,
  }
}

/** The body of a reply with status 200. */
function bodyOf(port: number, hostHeader: string, path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const outgoing = request({ host: HOST, port, path, headers: { host: hostHeader }, agent: false, timeout: 3000 }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('error', () => resolve(undefined))
      response.on('end', () => resolve(response.statusCode === 200 ? body.trim() : undefined))
    })
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('error', () => resolve(undefined)).end()
  })
}

/** Retries until there is an answer, or the time is over. */
async function untilDefined<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = performance.now() + ANSWER_MS
  for (;;) {
    const startedAt = performance.now()
    const answer = await ask()
    if (answer !== undefined || performance.now() > deadline) return answer
    await sleep(Math.max(0, ATTEMPT_MS - (performance.now() - startedAt)))
  }
}
