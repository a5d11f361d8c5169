/** Interrupted and concurrent uploads do not block other uploads. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppError } from '#backend/platform/errors.ts'
import { createLog } from '#backend/platform/log.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { beginSignIn } from '#tests/test-user.ts'
import { ImageDecoder } from './image-decoder.ts'

let app: TestApp
let imageBytes: Buffer
const folder = mkdtempSync(join(tmpdir(), 'muster-uploads-'))
const sockets: Socket[] = []

beforeAll(async () => {
  app = await startApp({ DATA_DIR: folder })
  imageBytes = await sharp({ create: { width: 128, height: 128, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  rmSync(folder, { recursive: true, force: true })
})

async function upload(user: SignedInUser): Promise<number> {
  const form = new FormData()
  form.append('purpose', 'LAUNCHER_LOGO')
  form.append('file', new Blob([new Uint8Array(imageBytes)]), 'x.png')
  const response = await user.fetch('/api/users/images', { method: 'POST', body: form })
  await response.arrayBuffer()
  return response.status
}

const uploadEight = (user: SignedInUser) => Promise.all(Array.from({ length: 8 }, () => upload(user)))
const remainingFolders = () => readdirSync(join(folder, 'uploads'))

const PARTIAL_BODY =
  '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nBANNER\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'

/** Signs a user in and returns the session cookie. */
async function cookieOf(name: string): Promise<string> {
  const { cookie, code, state } = await beginSignIn(app.panelUrl, name)
  const headers = { 'content-type': 'application/json', cookie }
  const done = await fetch(`${app.panelUrl}/api/auth/discord`, { method: 'POST', headers, body: JSON.stringify({ code, state }) })
  return (
    done.headers
      .getSetCookie()
      .find((text) => text.startsWith('muster_session='))
      ?.split(';', 1)[0] ?? ''
  )
}

/** Sends the headers of an upload and part of its body. */
async function beginUpload(cookie: string, body: string): Promise<Socket> {
  const { port, hostname } = new URL(app.panelUrl)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  sockets.push(socket)
  const head = `POST /api/users/images HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n`
  await new Promise((resolve) => {
    socket.write(head + body, resolve)
  })
  return socket
}

test.each([0, 10, 80, PARTIAL_BODY.length])('uploads interrupted after %s bytes no longer count as active', async (bytes) => {
  const cookie = await cookieOf(`leaver${bytes}`)
  for (const ms of [0, 0, 0, 1, 3, 10, 30, 100]) {
    const socket = await beginUpload(cookie, PARTIAL_BODY.slice(0, bytes))
    if (ms > 0) await sleep(ms)
    socket.destroy()
  }
  await sleep(200)
  expect(await uploadEight(await app.signIn(`leaver${bytes}`))).toEqual(Array.from({ length: 8 }, () => 200))
  await expect.poll(remainingFolders).toEqual([])
})

test('rejects a ninth concurrent upload, and accepts it once another one ends', async () => {
  const cookie = await cookieOf('collector')
  const collector = await app.signIn('collector')
  const connections = await Promise.all(Array.from({ length: 8 }, () => beginUpload(cookie, PARTIAL_BODY)))
  await expect.poll(() => remainingFolders().length).toBe(8)
  expect(await upload(collector)).toBe(429)
  expect(await upload(await app.newUser())).toBe(200)
  connections[0]?.destroy()
  await expect.poll(() => upload(collector)).toBe(200)
  for (const socket of connections) socket.destroy()
  await expect.poll(remainingFolders).toEqual([])
})

test('accepts eight concurrent uploads from each of five users', async () => {
  const users: SignedInUser[] = []
  for (let count = 0; count < 5; count += 1) users.push(await app.newUser())
  expect(new Set((await Promise.all(users.map(uploadEight))).flat())).toEqual(new Set([200]))
})

test('skips aborted jobs, and rejects jobs over the queue limit with a retry time', async () => {
  const decoder = new ImageDecoder(createLog('silent'))
  const job = async (name: string) => {
    const jobFolder = join(folder, name)
    await mkdir(jobFolder)
    await writeFile(join(jobFolder, 'in'), imageBytes)
    return { folder: jobFolder, width: 64, height: 64, maxPixels: 1_000_000 }
  }
  const active = new AbortController().signal
  const aborted = new AbortController()
  const first = decoder.decode(await job('first'), { userId: 'a', signal: active })
  const second = decoder.decode(await job('second'), { userId: 'a', signal: aborted.signal })
  aborted.abort()
  await expect(second).rejects.toThrow('The upload was interrupted')
  await expect(decoder.decode(await job('third'), { userId: 'a', signal: aborted.signal })).rejects.toThrow('The upload was interrupted')
  expect(await first).toBe('image/png')
  expect(readdirSync(join(folder, 'second'))).toEqual(['in'])
  const shared = await job('shared')
  const waiting = Array.from({ length: 101 }, (_, index) => decoder.decode(shared, { userId: String(index % 20), signal: active }))
  const rejected: unknown = await decoder.decode(shared, { userId: 'b', signal: active }).catch((error: unknown) => error)
  expect(rejected).toMatchObject({ kind: 'unavailable' })
  // A hundred images, at the average time on this machine.
  const { retryAfterSeconds = 0 } = rejected as AppError
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(2)
  expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  decoder.close()
  const results = await Promise.allSettled(waiting)
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
})

test('an upload over the limit gets its 429 after its last byte, and the connection serves the next call', async () => {
  const limited = await startApp({ DATA_DIR: folder, RATE_LIMITS: 'on' })
  const user = await limited.signIn('eager')
  const send = async (bytes: number) => {
    const form = new FormData()
    form.append('purpose', 'LAUNCHER_LOGO')
    form.append('file', new Blob([new Uint8Array(bytes)]), 'x.png')
    return await user.fetch('/api/users/images', { method: 'POST', body: form })
  }
  for (let count = 0; count < 30; count += 1) expect((await send(10)).status).toBe(400)
  for (let count = 0; count < 8; count += 1) {
    const rejected = await send(3_000_000)
    expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await rejected.json()).toMatchObject({ statusCode: 429 })
  }
})
