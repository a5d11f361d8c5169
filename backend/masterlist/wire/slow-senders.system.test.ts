/** Clients that never finish a request. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { ListErrorReply } from '#contract/api/errors.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'

let app: TestApp
let credential: string
const timers: NodeJS.Timeout[] = []

beforeAll(async () => {
  app = await startApp()
  ;({ credential } = await buildServer(await fleetOwner(app)))
})

afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer)
})

/** Sends a byte every half second until it is disconnected. Resolves once it has started. */
async function sendSlowly(beginning: string): Promise<{ readonly received: Promise<string> }> {
  const socket = connect(Number(new URL(app.listUrl).port), '127.0.0.1')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(received))
  await once(socket, 'connect')
  socket.write(beginning)
  timers.push(setInterval(() => socket.writable && socket.write('x'), 500))
  return { received: promise }
}

const unfinishedAnnounce = (length: number) =>
  `POST /announce HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`

test('unfinished headers, then unfinished announces, get 408 and are disconnected, while others are served', async () => {
  const body = await sendSlowly(unfinishedAnnounce(600))
  const headers = await sendSlowly('GET /servers HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  expect((await announceFrom(app, credential)).status).toBe(200)
  expect(await Promise.race([body.received.then(() => 'body'), headers.received.then(() => 'headers')])).toBe('headers')
  expect((await announceFrom(app, credential)).status).toBe(200)
  for (const received of [await headers.received, await body.received]) {
    expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n'))) as ListErrorReply).toMatchObject({
      statusCode: 408,
      code: 'MALFORMED_REQUEST',
    })
  }
}, 120_000)
