/** Images in S3 storage, including while it is unavailable. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Image } from '#contract/servers/images.ts'
import { createStorage } from './storage.ts'
import { createFileCache } from './image-services.ts'
import { sweepImages } from './sweep-images.ts'
import { type TestApp, type TestUser, startApp } from '#tests/harness.ts'
import { freePort } from '#tests/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'muster-s3-'))
let app: TestApp
let storage: S3rver
let port: number

async function start(): Promise<void> {
  storage = new S3rver({ port, address: '127.0.0.1', silent: true, directory: folder, configureBuckets: [{ name: 'muster', configs: [] }] })
  await storage.run()
}

beforeAll(async () => {
  port = await freePort()
  await start()
  app = await startApp({
    DATA_DIR: join(folder, 'data'),
    IMAGES_URL: `http://127.0.0.1:${port}/muster`,
    IMAGES_ACCESS_KEY_ID: 'S3RVER',
    IMAGES_SECRET_ACCESS_KEY: 'S3RVER',
    IMAGES_REGION: 'us-east-1',
  })
})
afterAll(async () => {
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

async function upload(user: TestUser): Promise<{ status: number; data: Image; retryAfter: string | null }> {
  const form = new FormData()
  form.append('purpose', 'SERVER_ICON')
  const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'x.png')
  const response = await user.fetch('/api/users/images', { method: 'POST', body: form })
  return { status: response.status, retryAfter: response.headers.get('retry-after'), ...((await response.json()) as { data: Image }) }
}

const files = () => readdirSync(join(folder, 'muster')).filter((name) => name.endsWith('_object'))

test('stores an image in the bucket, serves it from there and sweeps it', async () => {
  const alice = await app.newUser()
  const { data } = await upload(alice)
  expect(files()).toHaveLength(1)
  const served = await fetch(`${app.listUrl}${new URL(data.url).pathname}`)
  expect([served.status, (await served.arrayBuffer()).byteLength]).toEqual([200, data.bytes])
  expect((await fetch(`${app.listUrl}/images/${'a'.repeat(24)}.png`)).status).toBe(404)
  await sweepImages(
    app,
    { storage: createStorage(app.env), cache: createFileCache(app.clock, createStorage(app.env)) },
    { unusedSeconds: 0, scheduledSeconds: 0 },
  )
  expect(files()).toEqual([])
})

test('rejects uploads and loses nothing while the bucket is unavailable, and recovers afterwards', async () => {
  const alice = await app.newUser()
  const { data } = await upload(alice)
  await storage.close()
  const rejected = await upload(alice)
  expect(rejected.status).toBe(503)
  expect(Number(rejected.retryAfter)).toBeGreaterThan(0)
  const served = await fetch(`${app.listUrl}${new URL(data.url).pathname}`)
  expect(served.status).toBe(503)
  expect(Number(served.headers.get('retry-after'))).toBeGreaterThan(0)
  await expect(
    sweepImages(
      app,
      { storage: createStorage(app.env), cache: createFileCache(app.clock, createStorage(app.env)) },
      { unusedSeconds: 86_400, scheduledSeconds: 0 },
    ),
  ).rejects.toThrow(/network|fetch|ECONN/i)
  expect(await app.db.selectFrom('images').select('id').where('owner_id', '=', alice.id).execute()).toHaveLength(1)
  expect(app.takeLogs().filter((line) => line.includes('image storage unavailable'))).toHaveLength(1)
  await start()
  const read = async () => (await fetch(`${app.listUrl}${new URL(data.url).pathname}`)).status
  expect([await read(), await read()]).toEqual([200, 200])
  expect(app.allLogs().match(/"level":40,.*image storage available again/g)).toHaveLength(1)
  expect((await upload(alice)).status).toBe(200)
})

test('a connection that breaks before its image is read ends only that read', async () => {
  const sockets: Socket[] = []
  const broken = createServer((_request, response) => {
    sockets.push(response.req.socket)
    response.writeHead(200, { 'content-length': '900000' }).write(Buffer.alloc(1000))
  }).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  onTestFinished(() => void broken.close())
  const { port: brokenPort } = broken.address() as AddressInfo
  const stored = await createStorage({ ...app.env, IMAGES_URL: `http://127.0.0.1:${brokenPort}/muster` }).open('x.png')
  const { body } = stored ?? {}
  if (body === undefined) throw new Error('The image was not opened.')
  sockets[0]?.destroy()
  await expect.poll(() => body.errored).toBeInstanceOf(Error)
  await expect(buffer(body)).rejects.toThrow('terminated')
})
