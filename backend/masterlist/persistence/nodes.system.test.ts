/** Several nodes on one database share their live states. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as serverCalls from '#contract/servers.ts'
import { banServer } from '#contract/servers-admin.ts'
import { accept } from '#contract/transfers.ts'
import { banUser } from '#contract/users-admin.ts'
import { migrateDatabase } from '#backend/platform/database/migrate.ts'
import { createLog } from '#backend/platform/log.ts'
import { type Wire, wireTo } from '#tests/cut-off.ts'
import { buildServer, offer } from '#tests/factories.ts'
import { type Person, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne, send } from '#tests/list/send.ts'

type Made = Awaited<ReturnType<typeof buildServer>>
type Node = Pick<TestApp, 'panelUrl' | 'listUrl'>

let app: TestApp
/** Connected through `wire`. */
let far: Node
let third: Node
let wire: Wire
let owner: Person & { readonly id: string }
let administrator: Person
let losses = 0

beforeAll(async () => {
  app = await startApp({}, { isShared: true })
  wire = await wireTo({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  far = await app.addNode({ reach: wire.connection })
  third = await app.addNode()
  owner = await fleetOwner(app)
  administrator = await app.signIn('admin')
})
afterAll(async () => {
  await app.close()
  wire.close()
})

const nodes = () => [app, far, third]
const within = { timeout: 20_000, interval: 50 }

/** A server's players on each node's list, or `none`. */
const playersOnNodes = (publicId: string) =>
  Promise.all(nodes().map(async (node) => (await readList(node)).find((row) => row.publicId === publicId)?.playersCount ?? 'none'))

async function everywhere(publicId: string, players: number | 'none'): Promise<void> {
  await expect.poll(() => playersOnNodes(publicId), within).toEqual([players, players, players])
}

async function nodesKnownTo(node: Node): Promise<number> {
  const text = await (await fetch(`${node.panelUrl}/metrics`)).text()
  return Number(/^muster_nodes (\S+)$/m.exec(text)?.[1])
}

const leave = (node: Node, credential: string) =>
  send(`${node.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })

const listText = async (node: Node) => {
  const { text, headers } = await send(`${node.listUrl}/servers`)
  return { text, etag: headers.etag }
}

async function allAlike(): Promise<void> {
  await expect
    .poll(async () => {
      const lists = await Promise.all(nodes().map(listText))
      return new Set(lists.flatMap(({ text, etag }) => [text, etag])).size
    }, within)
    .toBe(2)
}

const takeCutOffLogs = () => {
  const unexpected = app.takeLogs().filter((line) => !/other nodes|database|saving failed|reloading a server failed|could not/i.test(line))
  expect(unexpected).toEqual([])
}

test('an announce to one node appears on all lists, also of a new server, and leaving on any node removes it', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  expect((await announceFrom(far, credential, { playersCount: 5 })).status).toBe(200)
  await everywhere(id, 5)
  expect((await announceFrom(third, credential, { playersCount: 6 })).status).toBe(200)
  await everywhere(id, 6)
  for (const [index, node] of [app, far, third, far, app].entries()) {
    expect((await announceFrom(node, credential, { playersCount: 10 + index })).status).toBe(200)
  }
  await everywhere(id, 14)
  await allAlike()
  expect((await leave(far, credential)).status).toBe(204)
  await everywhere(id, 'none')
  expect((await readOne(app, id)).available).toBe(false)
})

test('a credential is bound to the address of its first announce on all nodes', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  expect((await announceFrom(app, credential)).status).toBe(200)
  await everywhere(id, 12)
  const elsewhere = { from: '127.0.0.7' }
  expect((await announceFrom(far, credential, {}, elsewhere)).refusal.code).toBe('ADDRESS_MISMATCH')
  const left = await send(`${third.listUrl}/announce`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${credential}` },
    ...elsewhere,
  })
  expect(left.status).toBe(409)
  await everywhere(id, 12)
  const state = async () => (await owner.call(serverCalls.get, { params: { id } })).text
  await expect.poll(state, within).toContain('127.0.0.7')
})

test('a server that announces unchanged to one node stays online on all, and a silent one expires on all', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  const marker = await buildServer(owner)
  await announceFrom(app, credential)
  await everywhere(id, 12)
  for (let times = 1; times <= 3; times += 1) {
    app.clock.advance(40_000)
    expect((await announceFrom(app, credential)).status).toBe(200)
    app.clock.advance(3000)
    // Messages arrive in order, so the heartbeat has arrived before this.
    await announceFrom(app, marker.credential, { playersCount: times })
    await everywhere(marker.public_id, times)
    expect(await playersOnNodes(id)).toEqual([12, 12, 12])
  }
  app.clock.advance(80_000)
  await everywhere(id, 'none')
  await allAlike()
})

test('changes by owners and administrators on one node apply on all', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(third, credential)
  await everywhere(id, 12)
  const reissued = await owner.call(serverCalls.reissue, { params: { id }, body: {} })
  expect((await announceFrom(far, credential)).refusal.code).toBe('CREDENTIAL_REVOKED')
  expect((await announceFrom(third, credential)).refusal.code).toBe('CREDENTIAL_REVOKED')
  await everywhere(id, 'none')
  const renewed = reissued.data.credential
  expect((await announceFrom(far, renewed, { playersCount: 3 })).status).toBe(200)
  await everywhere(id, 3)
  await owner.call(serverCalls.change, { params: { id }, body: { visible: false } })
  await everywhere(id, 'none')
  await owner.call(serverCalls.change, { params: { id }, body: { visible: true } })
  await everywhere(id, 3)
  await allAlike()
  await owner.call(serverCalls.remove, { params: { id } })
  expect((await announceFrom(far, renewed)).status).toBe(401)
  await everywhere(id, 'none')
})

test.for(['cut', 'silence'] as const)(
  'a disconnected node (%s) expires no server, catches up, and shares the announces it received',
  { timeout: 90_000 },
  async (how) => {
    const other = await app.someone()
    const made = await Promise.all([...Array.from({ length: 6 }, () => buildServer(owner)), buildServer(other)])
    const [there, here, deleted, banned, reissued, left, theirs] = made as [Made, Made, Made, Made, Made, Made, Made]
    for (const { credential } of made) await announceFrom(app, credential)
    await announceFrom(far, there.credential, { playersCount: 1 })
    await everywhere(there.public_id, 1)
    for (const { public_id: id } of made.slice(1)) await everywhere(id, 12)
    wire[how]()
    await expect.poll(() => app.everythingLogged().match(/connection to the other nodes lost/g)?.length ?? 0, within).toBe(losses + 1)
    losses += 1
    expect((await announceFrom(far, there.credential, { playersCount: 2 })).status).toBe(200)
    await announceFrom(app, here.credential, { playersCount: 21 })
    await owner.call(serverCalls.remove, { params: { id: deleted.public_id } })
    const sentence = await administrator.call(banServer, { params: { id: banned.public_id }, body: { reason: 'Testing' } })
    expect(sentence.status).toBe(200)
    // This leaves the server's row unchanged.
    expect((await administrator.call(banUser, { params: { id: other.id }, body: { banned: true } })).status).toBe(200)
    await owner.call(serverCalls.reissue, { params: { id: reissued.public_id }, body: {} })
    await leave(app, left.credential)
    app.clock.advance(60_000)
    for (const { credential } of [here, banned, theirs]) await announceFrom(app, credential, { playersCount: 21 })
    app.clock.advance(60_000)
    // Its list is unchanged, and no server has expired.
    await expect.poll(async () => (await readList(far)).find((row) => row.publicId === there.public_id)?.playersCount, within).toBe(2)
    expect((await readList(far)).map((row) => row.publicId)).toEqual(expect.arrayContaining(made.map(({ public_id: id }) => id)))
    wire.mend()
    await everywhere(there.public_id, 2)
    await everywhere(here.public_id, 21)
    for (const { public_id: id } of [deleted, banned, reissued, left, theirs]) await everywhere(id, 'none')
    expect((await announceFrom(far, reissued.credential)).refusal.code).toBe('CREDENTIAL_REVOKED')
    await allAlike()
    takeCutOffLogs()
  },
)

test('a node that learns late of a transfer removes nothing of the new owner', { timeout: 60_000 }, async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(app, credential)
  await everywhere(id, 12)
  const next = await app.someone()
  const { id: transfer } = await offer(owner, id, next.id)
  wire.cut()
  await expect.poll(() => app.everythingLogged().match(/connection to the other nodes lost/g)?.length ?? 0, within).toBe(losses + 1)
  losses += 1
  expect((await next.call(accept, { params: { id: transfer } })).status).toBe(204)
  const renewed = (await next.call(serverCalls.reissue, { params: { id }, body: {} })).data.credential
  expect((await announceFrom(app, renewed, { playersCount: 4 })).status).toBe(200)
  expect((await announceFrom(app, renewed, { port: 0 })).status).toBe(400)
  const attempts = async () => (await next.call(serverCalls.announces, { params: { id } })).data.length
  await expect.poll(attempts, within).toBe(2)
  wire.mend()
  await everywhere(id, 4)
  await allAlike()
  expect(await attempts()).toBe(2)
  expect((await announceFrom(far, renewed, {}, { from: '127.0.0.9' })).refusal.code).toBe('ADDRESS_MISMATCH')
  expect((await announceFrom(far, credential)).refusal.code).toBe('CREDENTIAL_REVOKED')
  takeCutOffLogs()
})

test('nodes restore live states that the database lost, and no list misses a server meanwhile', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => buildServer(owner)))
  for (const [index, { credential }] of made.entries()) await announceFrom(nodes()[index % 3] as Node, credential, { playersCount: index })
  for (const [index, { public_id: id }] of made.entries()) await everywhere(id, index)
  await app.db.transaction().execute(async (trx) => {
    await sql`truncate presence`.execute(trx)
    await sql`truncate presence_epoch`.execute(trx)
  })
  app.clock.advance(2000)
  const ids = made.map(({ public_id: id }) => id)
  const saved = async () => (await app.db.selectFrom('presence').select('server_id').where('server_id', 'in', ids).execute()).length
  await expect
    .poll(async () => {
      for (const node of nodes()) {
        const listed = (await readList(node)).map((row) => row.publicId)
        expect(listed).toEqual(expect.arrayContaining(ids))
      }
      return saved()
    }, within)
    .toBe(ids.length)
  await allAlike()
})

test('a node that starts later has the same list', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(far, credential, { playersCount: 9 })
  await everywhere(id, 9)
  const late = await app.addNode()
  expect((await listText(late)).text).toBe((await listText(app)).text)
  await announceFrom(late, credential, { playersCount: 10 })
  await everywhere(id, 10)
})

test('a silent server expires even if another node saved a later time of the same announce', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(app, credential)
  await everywhere(id, 12)
  // As a node does that saves times and stops before it publishes them.
  await sql`update presence set last_announce_at = last_announce_at + interval '2 seconds' where server_id = ${id}`.execute(app.db)
  app.clock.advance(80_000)
  await everywhere(id, 'none')
  const saved = async () => (await app.db.selectFrom('presence').select('online').where('server_id', '=', id).executeTakeFirst())?.online
  await expect.poll(saved, within).toBe(false)
  expect(await playersOnNodes(id)).toEqual(['none', 'none', 'none'])
})

test('a node that disappears extends no TTL, and causes at most one comparison per minute', async () => {
  const [silent, named] = [await buildServer(owner), await buildServer(owner)]
  await announceFrom(app, silent.credential)
  await everywhere(silent.public_id, 12)
  const joinAndDisappear = async () => {
    const known = await nodesKnownTo(app)
    const id = '00000000-0000-4000-8000-000000000000'
    const connection = { host: inject('socketFolder'), user: 'postgres', database: await nameOf(app) }
    const client = new pg.Client({ ...connection, application_name: `muster node ${id}` })
    await client.connect()
    await sql`insert into nodes (id, version) values (${id}, '1.3')`.execute(app.db)
    await expect.poll(() => nodesKnownTo(app), within).toBe(known + 1)
    await client.end()
    await sql`delete from nodes where id = ${id}`.execute(app.db)
    await expect.poll(() => nodesKnownTo(app), within).toBe(known)
  }
  const renameUnpublished = async (name: string) => {
    await app.db.updateTable('servers').set({ name }).where('public_id', '=', named.public_id).execute()
  }
  const publishedName = async () => (await readOne(app, named.public_id)).name
  await renameUnpublished('Unsaid at first')
  app.clock.advance(70_000)
  await announceFrom(app, named.credential)
  await joinAndDisappear()
  await expect.poll(publishedName, within).toBe('Unsaid at first')
  await renameUnpublished('Unsaid again')
  await joinAndDisappear()
  app.clock.advance(6000)
  await everywhere(silent.public_id, 'none')
  expect(await publishedName()).toBe('Unsaid at first')
  await announceFrom(app, named.credential)
  app.clock.advance(60_000)
  await expect.poll(publishedName, within).toBe('Unsaid again')
})

test('live states are logged in an embedded database, and unlogged in a shared one', async () => {
  const connection = { host: inject('socketFolder'), user: 'postgres', database: await nameOf(app) }
  const inLog = async () =>
    (await sql<{ is: string }>`select relpersistence as is from pg_class where oid = 'presence'::regclass`.execute(app.db)).rows[0]?.is
  const before = await app.db.selectFrom('presence').select('server_id').execute()
  await migrateDatabase({ connection, isEmbedded: false, isJoined: false }, createLog('silent'))
  expect(await inLog()).toBe('u')
  await migrateDatabase({ connection, isEmbedded: true, isJoined: false }, createLog('silent'))
  expect(await inLog()).toBe('p')
  expect(await app.db.selectFrom('presence').select('server_id').execute()).toHaveLength(before.length)
})

const nameOf = async ({ db }: Pick<TestApp, 'db'>) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]?.name ?? ''
