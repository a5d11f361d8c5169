/**
 * kill -9 of the program and its database during writes: acknowledged writes survive, and the list shows no older state.
 * Three rounds by default; MUSTER_KILL_ROUNDS=20 for a long run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { portOf } from '#tests/factories.ts'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import type { Server, ServerWithCredential } from '#contract/servers/servers.ts'
import { joinDatabase } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { signInCookie } from '#tests/test-user.ts'
import { discard, programIn, until } from '#tests/program.ts'

const rounds = Number(process.env.MUSTER_KILL_ROUNDS ?? 3)
const WRITERS = 4
/** On a slow machine, the first announce comes late. */
const LISTED_WITHIN_MS = 60_000
const folder = preparedFolder()
const program = await programIn(folder)

// A retry starts it again.
afterEach(() => program.stop())
afterAll(() => discard(folder))

/** The expected state of one server: acknowledged writes, and writes without a response, which may be stored or not. */
interface ExpectedServer {
  credential: string
  description: string
  /** Descriptions sent without a response. */
  unacknowledged: string[]
  /** Undefined until the first accepted announce. */
  players: number | undefined
  /** A delete was sent. */
  isDeleteSent: boolean
  isDeleted: boolean
}

let cookie = ''
let counter = 0
const expectedServers = new Map<string, ExpectedServer>()
/** The newest list that a reader has received. */
let lastList: ListedServer[] = []

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${program.panelUrl}/api/users/tokens${path}`, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300)
  return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T
}

async function signIn(): Promise<void> {
  cookie = await signInCookie(program.panelUrl, 'owner')
  const database = await joinDatabase({ DATA_DIR: folder }, createLog('silent'))
  await database.db.updateTable('users').set({ max_servers: 100_000 }).execute()
  await database.close()
}

async function create(): Promise<void> {
  counter += 1
  const created = await call<ServerWithCredential>('POST', '', { name: `Unkillable server ${counter}`, description: 'new' })
  expectedServers.set(created.public_id, {
    credential: created.credential,
    description: 'new',
    unacknowledged: [],
    players: undefined,
    isDeleteSent: false,
    isDeleted: false,
  })
}

async function change(id: string, server: ExpectedServer): Promise<void> {
  counter += 1
  const description = `description ${counter}`
  server.unacknowledged.push(description)
  await call('PATCH', `/${id}`, { description })
  server.description = description
  server.unacknowledged = []
}

async function remove(id: string, server: ExpectedServer): Promise<void> {
  server.isDeleteSent = true
  await call('DELETE', `/${id}`)
  server.isDeleted = true
}

/** The player count only grows, which orders the states. */
async function announce(server: ExpectedServer): Promise<void> {
  const players = (server.players ?? 0) + 1
  const response = await fetch(`${program.listUrl}/announce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.credential}` },
    body: JSON.stringify({
      port: portOf(server.credential),
      playersCount: players,
      maxPlayersCount: 4096,
      passworded: false,
      version: '1',
      branch: 'release',
    }),
  })
  expect(response.status, await response.text()).toBe(200)
  server.players = players
}

async function writeOnce(writer: number): Promise<void> {
  // Each server has one writer, so that the order of its writes is known.
  const mine = [...expectedServers].filter(([, server], index) => index % WRITERS === writer && !server.isDeleteSent)
  const chosen = mine[Math.floor(Math.random() * mine.length)]
  if (chosen === undefined || mine.length < 3) return create()
  const [id, server] = chosen
  const dice = Math.random()
  if (dice < 0.5) return announce(server)
  if (dice < 0.85) return change(id, server)
  return dice < 0.95 ? create() : remove(id, server)
}

/** Repeats until the program is gone. Lost connections are expected; other errors fail. */
async function repeatUntilGone(act: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await act()
    } catch (error) {
      if (error instanceof TypeError) return
      if (isOver()) return
      throw error
    }
  }
}

const readAll = async () => (await (await fetch(`${program.listUrl}/servers`)).json()) as ListedServer[]

function expectNothingLost(owned: readonly Server[]): void {
  const there = new Map(owned.map((server) => [server.public_id, server]))
  for (const [id, server] of expectedServers) {
    const row = there.get(id)
    expect(server.isDeleted && row !== undefined, `${id} was deleted but exists`).toBe(false)
    if (server.isDeleteSent) {
      if (row === undefined) expectedServers.delete(id)
      continue
    }
    expect(row, `${id} is missing`).toBeDefined()
    expect([server.description, ...server.unacknowledged], `${id} has a wrong description`).toContain(row?.description)
    expect(server.players === undefined || row?.bound_address === '127.0.0.1', `${id} is not bound`).toBe(true)
    Object.assign(server, { description: row?.description, unacknowledged: [] })
  }
}

function expectNoOlderList(list: readonly ListedServer[]): void {
  const rows = new Map(list.map((row) => [row.publicId, row]))
  for (const before of lastList) {
    if (expectedServers.get(before.publicId)?.isDeleteSent !== false) continue
    const now = rows.get(before.publicId)
    expect(now, `${before.publicId} left the list`).toBeDefined()
    expect(now?.playersCount, `${before.publicId} shows an older state`).toBeGreaterThanOrEqual(before.playersCount)
  }
  for (const { publicId } of list) expect(expectedServers.get(publicId)?.isDeleted, `${publicId} was deleted but is listed`).not.toBe(true)
}

test(
  `${rounds} kills of program and database during writes lose no acknowledged write, and a saved list shows no older state`,
  async () => {
    await program.start()
    await signIn()
    let compared = 0
    for (let round = 1; compared < rounds; round += 1) {
      expect(round, 'too many kills with an unsaved list').toBeLessThanOrEqual(rounds * 3)
      let isOver = false
      const work = [
        ...Array.from({ length: WRITERS }, (_, writer) =>
          repeatUntilGone(
            () => writeOnce(writer),
            () => isOver,
          ),
        ),
        repeatUntilGone(
          async () => {
            lastList = await readAll()
            await sleep(20)
          },
          () => isOver,
        ),
      ]
      await until(() => lastList.length > 0, LISTED_WITHIN_MS)
      await sleep(400 + Math.random() * 1600)
      const killing = program.killEverything()
      isOver = true
      await killing
      await Promise.all(work)
      expect(program.output()).not.toContain('saving failed')
      // With a slow disk, the program logs that the list is ahead of storage. Such a list may lose announces in a crash.
      const isSaved = !program.output().includes('list is ahead of storage')
      await program.start()
      if (isSaved) {
        expectNoOlderList(await readAll())
        compared += 1
      }
      expectNothingLost((await call<{ owned: Server[] }>('GET', '')).owned)
    }
    expect(await program.stop(), program.output()).toBe(0)
  },
  120_000 + rounds * 60_000,
)
