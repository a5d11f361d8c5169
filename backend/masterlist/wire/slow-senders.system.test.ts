/** Clients that never finish a request. For thousands of them: `npm run bench -- slow`. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { ListErrorReply } from '#contract/errors.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'

let app: TestApp
let credential: string
const drips: NodeJS.Timeout[] = []

beforeAll(async () => {
  app = await startApp()
  ;({ credential } = await buildServer(await fleetOwner(app)))
})

afterEach(() => {
  for (const drip of drips.splice(0)) clearInterval(drip)
})

/** Sends a byte every half second until it is disconnected; resolves once it has started. */
async function drip(beginning: string): Promise<{ readonly told: Promise<string> }> {
  const socket = connect(Number(new URL(app.listUrl).port), '127.0.0.1')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let told = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    told += text
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(told))
  await once(socket, 'connect')
  socket.write(beginning)
  drips.push(setInterval(() => socket.writable && socket.write('x'), 500))
  return { told: promise }
}

const unfinishedAnnounce = (length: number) =>
  `POST /announce HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`

test('unfinished headers, then unfinished announces, get 408 and are disconnected, while others are served', async () => {
  const body = await drip(unfinishedAnnounce(600))
  const headers = await drip('GET /servers HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  expect((await announceFrom(app, credential)).status).toBe(200)
  expect(await Promise.race([body.told.then(() => 'body'), headers.told.then(() => 'headers')])).toBe('headers')
  expect((await announceFrom(app, credential)).status).toBe(200)
  for (const told of [await headers.told, await body.told]) {
    expect(told).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(JSON.parse(told.slice(told.indexOf('\r\n\r\n'))) as ListErrorReply).toMatchObject({ statusCode: 408, code: 'MALFORMED_REQUEST' })
  }
}, 20_000)
