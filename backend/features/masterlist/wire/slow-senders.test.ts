/** Who begins a request and does not end it: against a few thousands of them, `npm run bench -- slow`. */
import { type Socket, connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
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

/** Sends a byte each half second, for as long as it is let. Answers all that it was told. */
function drip(beginning: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let told = ''
  const socket: Socket = connect(Number(new URL(app.listUrl).port), '127.0.0.1', () => socket.write(beginning))
  socket.setEncoding('latin1').on('data', (text: string) => {
    told += text
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(told))
  drips.push(setInterval(() => socket.writable && socket.write('x'), 500))
  return promise
}

describe('a sender who comes to no end', () => {
  test.each([
    ['his headers', () => 'GET /servers HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'his announce',
      () =>
        `POST /announce HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n{`,
    ],
  ])(
    'of %s is told 408 with the list’s own words and let go, and others are answered meanwhile',
    { timeout: 30_000 },
    async (_, beginning) => {
      const dripping = drip(beginning())
      expect((await announceFrom(app, credential)).status).toBe(200)
      const told = await dripping
      expect(told).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
      expect(JSON.parse(told.slice(told.indexOf('\r\n\r\n'))) as ListErrorReply).toMatchObject({
        statusCode: 408,
        code: 'MALFORMED_REQUEST',
      })
      expect((await announceFrom(app, credential)).status).toBe(200)
    },
  )
})
