/** Skin downloads that are never read: their memory stays within the limit for images, for any number of readers. */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Skin } from '#contract/masterlist/masterlist.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { type Database, joinDatabase } from '#backend/platform/database/open.ts'
import { diskStorage } from '#backend/core/images/storage.ts'
import { createLog } from '#backend/platform/log.ts'
import { signInCookie } from '#tests/test-user.ts'
import { type Program, discard, residentMbOf, startProgram, temporaryFolder, until, untilReady } from '#tests/program.ts'

const SERVERS = 50
const IMAGE_BYTES = 6_200_000
/** Megabytes: 64 MiB of images, plus uncollected garbage. 50 separate bodies would take over 400 MB. */
const MAX_GROWTH = 160

const folder = temporaryFolder()
const sockets: Socket[] = []
const servers: string[] = []
let program: Program
let database: Database
let cookie = ''
let ownerId = ''

beforeAll(async () => {
  program = await untilReady(await startProgram(folder))
  database = await joinDatabase({ DATA_DIR: folder }, createLog('silent'))
  cookie = await signInCookie(program.panelUrl, 'owner')
  const changed = { max_servers: SERVERS, forced_tier: 'DIAMOND_ALTRUIST' }
  ownerId = (await database.db.updateTable('users').set(changed).returning('id').executeTakeFirstOrThrow()).id
  for (let number = 1; number <= SERVERS; number += 1) {
    const created = await call<ServerWithCredential>('POST', '/api/users/tokens', { name: `Heavy server ${number}` })
    servers.push(created.public_id)
  }
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await database.close()
  discard(folder, program)
})

async function call<T>(method: string, path: string, body: unknown): Promise<T> {
  const headers = { cookie, 'content-type': 'application/json' }
  const response = await fetch(`${program.panelUrl}${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return (JSON.parse(text) as { data: T }).data
}

/** Gives the skin of all servers a new large image. */
async function replaceImage(): Promise<Buffer> {
  const [id, file, bytes] = [randomUUID(), `${randomUUID()}.png`, randomBytes(IMAGE_BYTES)]
  await diskStorage(join(folder, 'images')).put(file, bytes, 'image/png')
  const row = {
    id,
    owner_id: ownerId,
    purpose: 'LAUNCHER_UI_BACKGROUND',
    file,
    width: 1,
    height: 1,
    mime: 'image/png',
    bytes: IMAGE_BYTES,
  }
  await database.db.insertInto('images').values(row).execute()
  await call('PUT', '/api/users/benefits/CUSTOM_LAUNCHER/settings', { ui_background_image_id: id })
  return bytes
}

const skin = (id = servers[0], init: RequestInit = {}) => fetch(`${program.listUrl}/servers/${id}/skin`, init)

/** Requests a skin, waits for its first bytes and stops reading. Returns the status. */
async function startUnreadDownload(id = servers[0]): Promise<string> {
  const { hostname, port } = new URL(program.listUrl)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  sockets.push(socket)
  socket.write(`GET /servers/${id}/skin HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [begin] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  return begin.toString('latin1').slice(9, 12)
}

const memory = () => residentMbOf(program.child.pid) ?? 0

test.skipIf(process.platform !== 'linux')(
  'unread downloads stay within the memory limit for images, further readers get 503 SKINS_BUSY, and SIGTERM still works',
  async () => {
    const bytes = await replaceImage()
    await until(async () => (await skin()).status === 200)
    const before = memory()
    expect(new Set(await Promise.all(servers.map((id) => startUnreadDownload(id))))).toEqual(new Set(['200']))
    expect(memory() - before).toBeLessThan(MAX_GROWTH)
    // Other readers are not blocked.
    const read = (await (await skin(servers[7])).json()) as Skin
    expect(Buffer.from(read.imageBackground64, 'base64').equals(bytes)).toBe(true)
    let busy = await skin()
    for (let images = 0; images < 12 && busy.status === 200; images += 1) {
      const etag = busy.headers.get('etag')
      await busy.arrayBuffer()
      await startUnreadDownload()
      await replaceImage()
      await until(async () => (await skin(undefined, { method: 'HEAD' })).headers.get('etag') !== etag)
      busy = await skin()
    }
    expect([busy.status, busy.headers.get('retry-after'), busy.headers.get('cache-control')]).toEqual([503, '5', 'no-store'])
    expect(await busy.json()).toMatchObject({ code: 'SKINS_BUSY' })
    expect((await skin(undefined, { method: 'HEAD' })).status).toBe(200)
    expect(memory() - before).toBeLessThan(MAX_GROWTH)
    for (const socket of sockets.splice(0)) socket.destroy()
    await until(async () => (await skin()).status === 200)
    await startUnreadDownload()
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  },
  60_000,
)
