/** A small announcer that meets every rule of the conformance kit but those that its argument breaks. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { PUBLIC_ID } from '#sdk/conform/answers.ts'
import { endpointOf } from '#sdk/endpoint.ts'
import { familiesOf } from '#sdk/environment.ts'
import { fetchOver } from '#sdk/family-fetch.ts'
import { probeAnswer } from '#sdk/probe.ts'
import { udpAnswer } from '#sdk/udp-probe.ts'

const fault = process.argv[2] ?? 'none'
const { MUSTER_URL = '', MUSTER_CREDENTIAL = '', MUSTER_HOST = '', MUSTER_PROBE = '', MUSTER_FAMILIES, PORT, MAX_PLAYERS } = process.env
const url = `${fault === 'path' ? MUSTER_URL : MUSTER_URL.replace(/\/$/, '')}/announce`
const type = fault === 'wrong-type' ? 'text/plain' : 'application/json'
const headers = { 'content-type': type, ...(fault !== 'credential' && { authorization: `Bearer ${MUSTER_CREDENTIAL}` }) }
const port = fault === 'settings' || fault === 'wrong-type' ? 1 : fault === 'fields' ? PORT : Number(PORT)
const body = JSON.stringify({
  port,
  playersCount: fault === 'wrong-type' ? '0' : 0,
  maxPlayersCount: Number(MAX_PLAYERS),
  passworded: false,
  version: '1.0',
  branch: 'release',
  ...(fault !== 'endpoint' && { host: MUSTER_HOST, probe: MUSTER_PROBE }),
})

const families = fault === 'families' ? ([4, 6] as const) : familiesOf(MUSTER_FAMILIES)
const sends = families.length > 0 ? families.map(fetchOver) : [fetch]
const redirect = fault === 'redirect' ? 'follow' : 'manual'

function print(text: string): void {
  if (fault !== 'silent') process.stdout.write(`${text}\n`)
}

const GOODBYES: Readonly<Record<string, string>> = {
  'goodbye-with-port': `{"port":${PORT}}`,
  'goodbye-port': '{"port":1}',
  'goodbye-without-port': '{}',
  'goodbye-text': 'bye',
}

/** Returns the seconds until the next announce over a family. */
async function announce(send: typeof fetch): Promise<number> {
  try {
    const response = await send(url, { method: 'POST', redirect, headers, body, signal: AbortSignal.timeout(5000) })
    const text = await response.text()
    if (!response.ok) {
      print(text)
      if (fault === 'stays-alive') process.exit(1)
      const retryAfter = Number(response.headers.get('retry-after') ?? 0)
      if (retryAfter > 0) return fault === 'retry-after' ? 1 : retryAfter
      return fault === 'rejection-pace' ? 2 : 30
    }
    const { nextAnnounceSeconds, notices } = JSON.parse(text) as { nextAnnounceSeconds: number; notices?: { message: string }[] }
    for (const { message } of notices ?? []) print(message)
    if (nextAnnounceSeconds > 3600 && fault !== 'overflow') return 30
    return fault === 'interval' ? 1 : Math.max(1, nextAnnounceSeconds)
  } catch (error) {
    print(String(error))
    return fault === 'pace' ? 0.1 : 3
  }
}

const timers = new Map<typeof fetch, NodeJS.Timeout>()
const loop = (send: typeof fetch) =>
  void announce(send).then((seconds) =>
    timers.set(
      send,
      setTimeout(() => loop(send), seconds * 1000),
    ),
  )

async function sayGoodbye(): Promise<void> {
  for (const send of sends) {
    const init = { method: 'DELETE', redirect, headers, signal: AbortSignal.timeout(3000) } as const
    const sent = GOODBYES[fault]
    const response = await send(url, sent === undefined ? init : { ...init, body: sent }).catch(() => undefined)
    if (response !== undefined && fault !== 'families-goodbye') return
  }
}

if (MUSTER_PROBE === 'udp') {
  const socket = createSocket('udp4').bind(Number(PORT))
  const endpoint = endpointOf({ host: fault === 'udp-answer' ? '' : MUSTER_HOST, port: Number(PORT) })
  socket.on('message', (datagram, from) => {
    if (fault === 'udp-silence' && datagram.length !== 64) socket.send(datagram, from.port, from.address)
    void udpAnswer(datagram, endpoint, MUSTER_CREDENTIAL).then((answer) => answer && socket.send(answer, from.port, from.address))
  })
}

if (MUSTER_PROBE === 'tcp')
  createServer((request, response) => {
    const path = request.url ?? ''
    const host = fault === 'tcp-answer' ? '' : (request.headers.host ?? '')
    const answer = probeAnswer(path, host, { publicId: PUBLIC_ID, credential: MUSTER_CREDENTIAL })
    void answer.then((token) => response.end(fault === 'tcp-silence' ? path.replace(/.*\//, '') : token))
  }).listen(Number(PORT), '127.0.0.1')

async function stop(): Promise<void> {
  for (const timer of timers.values()) clearTimeout(timer)
  if (fault !== 'goodbye') await sayGoodbye()
  if (fault === 'last-word') await announce(fetch)
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
if (fault === 'keeps-secret') print(`my credential is ${MUSTER_CREDENTIAL}`)
for (const send of sends) loop(send)
