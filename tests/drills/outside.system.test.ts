/**
 * Faults outside of Muster and its database: the bucket, Discord, name servers, a receiver's certificate, clocks, slow clients, many uploads.
 * Meanwhile a game server announces and a launcher reads the list. `npm run test:system -- drills` prints a row each.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import S3rver from 's3rver'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { me } from '#contract/users/users.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { createPostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { EXPIRED_CERTIFICATE, PRIVATE_KEY, PUBLIC_ADDRESS } from '#tests/https-host/https-host.ts'
import { startFakeDiscord } from '#tests/fakes/fake-discord.ts'
import { buildServer, newName } from '#tests/factories.ts'
import { type FaultProxy, startFaultProxy } from '#tests/fault-proxy.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { formOf, imageBytes, post } from '#tests/images/upload.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'
import { until } from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'

const FAULT_MS = Number(process.env.MUSTER_DRILL_MS ?? 2000)
/** `--full`: 1,000. */
const UPLOADS = Number(process.env.MUSTER_DRILL_UPLOADS ?? 60)
const SLOW_CLIENTS = Number(process.env.MUSTER_DRILL_CLIENTS ?? 200)

let app: TestApp
let user: SignedInUser
let credential: string
let bucket: FaultProxy

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-drill-'))
  const storage = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'muster', configs: [] }],
  })
  const { port } = (await storage.run()) as AddressInfo
  bucket = await startFaultProxy({ host: '127.0.0.1', port })
  closeAfterTest(async () => {
    bucket.close()
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const variables = {
    IMAGES_URL: `http://127.0.0.1:${bucket.connection.port}/muster`,
    IMAGES_ACCESS_KEY_ID: 'S3RVER',
    IMAGES_SECRET_ACCESS_KEY: 'S3RVER',
    IMAGES_REGION: 'us-east-1',
  }
  app = await startApp(variables, { postPublic: await expiredReceiver() })
  user = await fleetOwner(app)
  credential = (await buildServer(user)).credential
  expect((await announceFrom(app, credential)).status).toBe(200)
  await until(async () => (await readList(app)).length === 1)
  process.stdout.write('  | fault | announces | list | panel | what it stops meanwhile |\n')
})

/** The only receiver of webhooks. */
async function expiredReceiver() {
  const server = createServer({ key: PRIVATE_KEY, cert: EXPIRED_CERTIFICATE }, (_request, response) => response.end())
  server.listen(0, PUBLIC_ADDRESS)
  await once(server, 'listening')
  closeAfterTest(() => server.close())
  const { port } = server.address() as AddressInfo
  const resolve = () => Promise.resolve([PUBLIC_ADDRESS])
  return createPostPublic({ resolve, isAllowed: (address) => address === PUBLIC_ADDRESS, port, ca: EXPIRED_CERTIFICATE })
}

/** Announces, reads the list and calls the panel until `fault` is over, and prints a row. Returns what failed. */
async function drill(name: string, fault: () => Promise<string>): Promise<string[]> {
  const failed: string[] = []
  const counts = { announce: 0, list: 0, panel: 0 }
  let isOver = false
  const loop = async (what: keyof typeof counts, call: () => Promise<boolean>) => {
    while (!isOver) {
      if (await call().catch(() => false)) counts[what] += 1
      else failed.push(what)
      await sleep(20)
    }
  }
  const loads = [
    loop('announce', async () => (await announceFrom(app, credential, { playersCount: counts.announce % 50 })).status === 200),
    loop('list', async () => (await readList(app)).length === 1),
    loop('panel', async () => (await user.call(me)).status === 200),
  ]
  const stopped = await fault().finally(() => {
    isOver = true
  })
  await Promise.all(loads)
  process.stdout.write(`  | ${name} | ${counts.announce} | ${counts.list} | ${counts.panel} | ${stopped} |\n`)
  expect(Math.min(counts.announce, counts.list, counts.panel)).toBeGreaterThan(0)
  return failed
}

const tryUpload = (by = user) =>
  post(
    by,
    formOf([
      ['purpose', 'SERVER_ICON'],
      ['file', imageBytes],
    ]),
  )

test('the bucket of images is down: uploads are rejected with Retry-After, and work again afterwards', async () => {
  const failed = await drill('object store down', async () => {
    bucket.cut()
    const { status, headers } = await tryUpload()
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
    bucket.restore()
    expect((await tryUpload()).status).toBe(200)
    return 'uploads: 503'
  })
  expect(failed).toEqual([])
  app.takeLogs()
})

test('the bucket of images is slow: uploads wait for it, and nothing else does', async () => {
  const failed = await drill('object store slow', async () => {
    bucket.stall()
    const uploading = tryUpload()
    // It has ten seconds for an answer.
    await sleep(Math.min(FAULT_MS, 5000))
    bucket.restore()
    expect((await uploading).status).toBe(200)
    return 'uploads: late'
  })
  expect(failed).toEqual([])
})

test('Discord is down: nobody signs in, and everybody who is signed in goes on', async () => {
  const discord = await startFakeDiscord()
  onTestFinished(() => discord.close())
  const other = await startApp({ DISCORD_CLIENT_ID: 'id', DISCORD_CLIENT_SECRET: 'secret', DISCORD_API_URL: discord.url })
  onTestFinished(() => other.close())
  const signIn = async () => {
    const authorize = await fetch(`${other.panelUrl}/api/auth/discord`)
    const state = new URL(await authorize.text()).searchParams.get('state')
    const cookie = authorize.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const body = JSON.stringify({ code: 'code', state })
    return await fetch(`${other.panelUrl}/api/auth/discord`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body,
    })
  }
  const cookie = (await signIn()).headers.getSetCookie().find((one) => one.startsWith('muster_session')) ?? ''
  const failed = await drill('Discord down', async () => {
    discord.reply = 503
    expect((await signIn()).status).toBe(502)
    expect((await fetch(`${other.panelUrl}/api/auth/me`, { headers: { cookie } })).status).toBe(200)
    discord.reply = 'ok'
    expect((await signIn()).status).toBe(204)
    return 'sign-ins with Discord: 502'
  })
  expect(failed).toEqual([])
  other.takeLogs()
})

test('name servers are gone: a named host stays unproven, its server is listed at its source, and deliveries wait', async () => {
  const failed = await drill('DNS gone', async () => {
    const { credential: named, public_id: id } = await buildServer(await fleetOwner(app))
    const { status } = await announceFrom(app, named, { host: 'play.example.com', probe: 'tcp' }, { from: '127.0.0.9' })
    expect(status).toBe(200)
    await expect.poll(async () => (await readList(app)).some(({ publicId }) => publicId === id)).toBe(true)
    expect((await announceFrom(app, named, {}, { from: '127.0.0.9', method: 'DELETE' })).status).toBe(204)
    await expect.poll(() => readList(app)).toHaveLength(1)
    return 'proofs of names'
  })
  expect(failed.filter((what) => what !== 'list')).toEqual([])
})

test("a receiver's certificate has expired: its deliveries say so and are retried", async () => {
  const failed = await drill('expired certificate of a receiver', async () => {
    const { data } = await user.call(webhooks.create, {
      body: { name: newName(), kind: 'standard', url: 'https://feeds.example/', events: ['server.offline'] },
    })
    await user.call(webhooks.sendTest, { params: { id: data.id } })
    const first = async () => (await user.call(webhooks.deliveries, { params: { id: data.id } })).data[0]
    await expect.poll(async () => (await first())?.attempt).toBe(1)
    expect((await first())?.error).toContain('certificate')
    return 'its own deliveries, which are retried'
  })
  expect(failed).toEqual([])
})

test('the clock of a node jumps: announces stay in order, and no server expires', async () => {
  const failed = await drill('clock jumps by three hours, back and forth', async () => {
    for (const hours of [3, -3, 0]) {
      app.clock.setClockError(hours * 3_600_000)
      await sleep(FAULT_MS / 4)
    }
    return 'nothing'
  })
  expect(failed).toEqual([])
  app.takeLogs()
})

/** Sends the beginning of a request and then nothing. */
function slowClient(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  socket.resume()
  socket.write('POST /announce HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n')
  return socket
}

test('many clients send slowly: others are served, and the slow ones are disconnected', async () => {
  const failed = await drill(`${SLOW_CLIENTS} slow clients on each listener`, async () => {
    const sockets = [app.listUrl, app.panelUrl].flatMap((url) => Array.from({ length: SLOW_CLIENTS }, () => slowClient(url)))
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    await sleep(FAULT_MS)
    await closed
    return 'the slow clients, after 5 and 10 s'
  })
  expect(failed).toEqual([])
})

test('many users upload at once: each upload is stored or rejected with Retry-After', { timeout: 600_000 }, async () => {
  const failed = await drill(`${UPLOADS} uploads at once`, async () => {
    const users = await Promise.all(Array.from({ length: Math.ceil(UPLOADS / 8) }, () => app.newUser()))
    const statuses = await Promise.all(
      Array.from({ length: UPLOADS }, async (_, index) => {
        const by = users[index % users.length] ?? user
        const { status, headers } = await tryUpload(by)
        return status === 200 ? 'stored' : `${status}, Retry-After ${headers.get('retry-after') === null ? 'missing' : 'sent'}`
      }),
    )
    const counts = Object.entries(Object.groupBy(statuses, (status) => status)).map(([status, all]) => `${all?.length} ${status}`)
    expect(statuses.filter((status) => status.endsWith('missing'))).toEqual([])
    return counts.join('; ')
  })
  expect(failed).toEqual([])
})
