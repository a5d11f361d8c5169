/** Skin downloads that are never read: there is a limit of readers, and their memory stays small. */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Skin } from '#contract/masterlist/masterlist.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { type Database, joinDatabase } from '#backend/platform/database/open.ts'
import { diskStorage } from '#backend/core/images/storage.ts'
import { createLog } from '#backend/platform/log.ts'
import { signInCookie } from '#tests/test-user.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { type Program, discard, residentMbOf, startProgram, until, untilReady } from '#tests/program.ts'

/** Of the 100 that are sent at once. */
const AT_ONCE = 20
const IMAGE_BYTES = 6_200_000
/** Megabytes. 100 bodies would take over 800 MB. */
const MAX_GROWTH = 160

const folder = preparedFolder()
const sockets: Socket[] = []
let program: Program
let database: Database
let cookie = ''
let ownerId = ''
let serverId = ''

beforeAll(async () => {
  program = await untilReady(await startProgram(folder))
  database = await joinDatabase({ DATA_DIR: folder }, createLog('silent'))
  cookie = await signInCookie(program.panelUrl, 'owner')
  ownerId = (await database.db.updateTable('users').set({ forced_tier: 'DIAMOND_ALTRUIST' }).returning('id').executeTakeFirstOrThrow()).id
  serverId = (await call<ServerWithCredential>('POST', '/api/users/tokens', { name: 'Heavy server' })).public_id
})

const closeSockets = () => {
  for (const socket of sockets.splice(0)) socket.destroy()
}

afterEach(closeSockets)
afterAll(async () => {
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

/** Gives the skin a large image. */
async function storeImage(): Promise<Buffer> {
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

const skin = (init: RequestInit = {}) => fetch(`${program.listUrl}/servers/${serverId}/skin`, init)

/** Requests a skin, waits for its first bytes and stops reading. Returns the status. */
async function startUnreadDownload(): Promise<string> {
  const { hostname, port } = new URL(program.listUrl)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  sockets.push(socket)
  socket.write(`GET /servers/${serverId}/skin HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [begin] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  return begin.toString('latin1').slice(9, 12)
}

const memory = () => residentMbOf(program.child.pid) ?? 0

test.skipIf(process.platform !== 'linux')(
  '100 unread downloads need little memory, further readers get 503 SKINS_BUSY, and SIGTERM still works',
  async () => {
    const bytes = await storeImage()
    await until(async () => (await skin()).status === 200)
    const before = memory()
    const startSome = () => Promise.all(Array.from({ length: AT_ONCE }, () => startUnreadDownload()))
    expect(new Set(await startSome())).toEqual(new Set(['200']))
    // Other readers are not blocked.
    const read = (await (await skin()).json()) as Skin
    expect(Buffer.from(read.imageBackground64, 'base64').equals(bytes)).toBe(true)
    // A download that stays unread for long is dropped, so another reader may have its place.
    let busy = await skin()
    await until(async () => {
      await startSome()
      busy = await skin()
      return busy.status === 503
    })
    expect([busy.status, busy.headers.get('retry-after'), busy.headers.get('cache-control')]).toEqual([503, '5', 'no-store'])
    expect(await busy.json()).toMatchObject({ code: 'SKINS_BUSY' })
    expect((await skin({ method: 'HEAD' })).status).toBe(200)
    expect(memory() - before).toBeLessThan(MAX_GROWTH)
    closeSockets()
    await until(async () => (await skin()).status === 200)
    await startUnreadDownload()
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  },
  180_000,
)
