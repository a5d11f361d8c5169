/** `PUBLISH_URL`: the files of the signed list in a folder and in a bucket, read like a mirror. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { expect, onTestFinished, test } from 'vitest'
import { list } from '#sdk/list/index.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'
import { freePort } from '#tests/program.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'

const keys = signingKeys()
const MINUTE_MS = 60_000

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-published-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function listServer(app: TestApp): Promise<void> {
  const { credential, public_id: id } = await buildServer(await fleetOwner(app))
  await announceFrom(app, credential)
  await expect.poll(async () => (await readList(app)).some(({ publicId }) => publicId === id)).toBe(true)
  app.clock.advance(1100)
}

/** A plain web server. */
async function serveFolder(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    try {
      response.end(readFileSync(join(folder, request.url ?? '')))
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const publish = (app: TestApp) => app.runJob('publish-signed-list')
const chunksIn = (folder: string) => readdirSync(join(folder, 'signed/chunks')).toSorted()

test('a plain web server over the folder is a mirror, and unused chunks stay for ten minutes', async () => {
  const folder = join(temporaryFolder(), 'new')
  // As under deploy/muster.service. Web servers run as another user.
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  const app = await startApp({ ...keys.variables, PUBLISH_URL: `file://${folder}` })
  await listServer(app)
  await publish(app)
  const others = ['', 'signed', 'signed/chunks', 'signed/head'].map((path) => statSync(join(folder, path)).mode & 0o007)
  expect(others).toEqual([5, 5, 5, 4])
  const url = await serveFolder(folder)
  const mirror = list({ mirrors: [url], publicKey: keys.publicKey, now: () => app.clock.now() })
  expect((await mirror.read()).servers).toEqual(await readList(app))
  const first = chunksIn(folder)
  await listServer(app)
  await publish(app)
  expect((await mirror.read()).servers).toHaveLength(2)
  expect(chunksIn(folder)).toEqual(expect.arrayContaining(first))
  app.clock.advance(11 * MINUTE_MS)
  // All servers are silent by now.
  await expect.poll(() => readList(app)).toEqual([])
  await publish(app)
  expect(chunksIn(folder)).toHaveLength(1)
  app.clock.advance(11 * MINUTE_MS)
  await publish(app)
  expect(chunksIn(folder)).toEqual([])
  expect(readdirSync(join(folder, 'signed')).toSorted()).toEqual(['chunks', 'head', 'keys'])
  expect(await (await fetch(`${app.listUrl}/metrics`)).text()).toMatch(/^muster_signed_publishes_total\{outcome="failed"\} 0$/m)
})

test('a start repairs what a crash of the machine left, and removes the chunks of other runs after ten minutes', async () => {
  const folder = temporaryFolder()
  const app = await startApp({ ...keys.variables, PUBLISH_URL: folder })
  await listServer(app)
  await publish(app)
  const [chunk = ''] = chunksIn(folder)
  const path = (name: string) => join(folder, 'signed/chunks', name)
  const whole = readFileSync(path(chunk), 'utf8')
  const stray = '0'.repeat(64)
  writeFileSync(path(stray), 'of a former run')
  await app.restart(() => {
    writeFileSync(path(chunk), whole.slice(0, 10))
    return Promise.resolve()
  })
  await publish(app)
  expect(chunksIn(folder)).toContain(stray)
  expect(readFileSync(path(chunk), 'utf8')).toBe(whole)
  app.clock.advance(11 * MINUTE_MS)
  await publish(app)
  expect(chunksIn(folder)).not.toContain(stray)
})

test('a bucket is a mirror, and while it is down a job fails, but the list goes on', async () => {
  const [port, directory] = [await freePort(), temporaryFolder()]
  const bucket = () =>
    new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'list', configs: [] }] })
  let storage = bucket()
  await storage.run()
  const app = await startApp({
    ...keys.variables,
    PUBLISH_URL: `http://127.0.0.1:${port}/list`,
    PUBLISH_ACCESS_KEY_ID: 'S3RVER',
    PUBLISH_SECRET_ACCESS_KEY: 'S3RVER',
    PUBLISH_REGION: 'us-east-1',
  })
  onTestFinished(() => storage.close())
  await listServer(app)
  await publish(app)
  const stored = () => readdirSync(join(directory, 'list/signed'), { recursive: true }).filter((name) => String(name).endsWith('_object'))
  expect(stored()).toEqual(expect.arrayContaining(['head._S3rver_object', 'keys._S3rver_object']))
  expect(stored()).toHaveLength(3)
  await storage.close()
  await listServer(app)
  await publish(app)
  expect(app.takeLogs()).toEqual([expect.stringMatching(/"job":"publish-signed-list".*job failed, will retry/)])
  expect((await list({ url: app.listUrl, publicKey: keys.publicKey, now: () => app.clock.now() }).read()).servers).toHaveLength(2)
  storage = bucket()
  await storage.run()
  await publish(app)
  expect(stored()).toHaveLength(4)
})
