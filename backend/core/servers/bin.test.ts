/** The bin: how many servers it holds, and for how long. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ofAccount } from '#contract/events/activity.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, emptyBin, setTier } from '#tests/factories.ts'
import { binOf, deletedServer, remove, restore, setLimit } from '#tests/deleted-servers.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

const DAY_MS = 86_400_000

let app: TestApp
let administrator: SignedInUser

beforeAll(async () => {
  app = await startApp({}, { pool: 16 })
  administrator = await app.signIn('admin')
})

async function moveDeletion(id: string, ageMs: number): Promise<void> {
  await app.db
    .updateTable('all_servers')
    .set({ deleted_at: new Date(Date.now() - ageMs) })
    .where('public_id', '=', id)
    .execute()
}

describe('the bin', () => {
  const purgesOf = async (owner: SignedInUser) =>
    (await owner.call(ofAccount)).data.filter(({ action }) => action === 'SERVER_PURGED').map(({ server }) => server?.public_id)

  /** Creates and deletes servers, the first one first. */
  async function deletedServersOf(owner: SignedInUser, count: number): Promise<{ id: string; name: string }[]> {
    const deleted = []
    for (let n = 0; n < count; n += 1) {
      const { public_id: id, name } = await buildServer(owner)
      await remove(owner, id)
      deleted.push({ id, name })
    }
    return deleted
  }

  test('holds five servers of an account with a smaller limit: a further deletion purges the oldest and frees its name', async () => {
    const [owner, stranger] = [await app.newUser(), await app.newUser()]
    const [oldest, ...others] = await deletedServersOf(owner, 5)
    expect(await binOf(owner)).toHaveLength(5)
    expect((await stranger.call(servers.create, { body: { name: oldest?.name ?? '' } })).status).toBe(409)
    const [latest] = await deletedServersOf(owner, 1)
    expect((await binOf(owner)).map((row) => row.public_id)).toEqual([latest, ...others.toReversed()].map((server) => server?.id))
    expect((await stranger.call(servers.create, { body: { name: oldest?.name ?? '' } })).status).toBe(200)
    expect(await purgesOf(owner)).toEqual([oldest?.id])
    expect((await owner.call(ofAccount)).data[0]).toMatchObject({ action: 'SERVER_PURGED', actor: null, server: { name: oldest?.name } })
    expect((await restore(owner, oldest?.id ?? '')).status).toBe(404)
    expect(
      await app.db
        .selectFrom('all_servers')
        .selectAll()
        .where('public_id', '=', oldest?.id ?? '')
        .execute(),
    ).toEqual([])
  })

  test('holds as many servers as a larger limit allows, also when an administrator deletes them', async () => {
    const owner = await app.newUser()
    await setLimit(administrator, owner, 6)
    const deleted = await deletedServersOf(owner, 6)
    const { public_id: id } = await buildServer(owner)
    expect(await binOf(owner)).toHaveLength(6)
    expect((await administrator.call(admin.removeAdminServer, { params: { id } })).status).toBe(204)
    expect(await binOf(owner)).toHaveLength(6)
    expect(await purgesOf(owner)).toEqual([deleted[0]?.id])
  })

  test('of concurrent deletions, never holds more than its limit', async () => {
    const owner = await app.newUser()
    await setLimit(administrator, owner, 12)
    const ids = []
    for (let n = 0; n < 12; n += 1) ids.push((await buildServer(owner)).public_id)
    await setLimit(administrator, owner, 1)
    await Promise.all(ids.map((id) => remove(owner, id)))
    expect(await binOf(owner)).toHaveLength(5)
    expect(await purgesOf(owner)).toHaveLength(7)
  })

  test('does not hold a server longer that was restored and deleted again', async () => {
    const { owner, id } = await deletedServer(app)
    await moveDeletion(id, 6 * DAY_MS)
    const before = await binOf(owner)
    await restore(owner, id)
    await remove(owner, id)
    expect(await binOf(owner)).toEqual(before)
    // Also if another one is newer: the one that was just deleted can still be restored.
    for (const other of await deletedServersOf(owner, 4)) expect((await binOf(owner)).map((row) => row.public_id)).toContain(other.id)
    await restore(owner, id)
    await deletedServersOf(owner, 1)
    await remove(owner, id)
    expect((await binOf(owner)).map((row) => row.public_id)).toContain(id)
  })

  test('holds a server for seven days again once those of its first deletion are over', async () => {
    const { owner, id } = await deletedServer(app)
    await restore(owner, id)
    await app.db
      .updateTable('all_servers')
      .set({ last_deleted_at: new Date(Date.now() - 7 * DAY_MS) })
      .where('public_id', '=', id)
      .execute()
    await remove(owner, id)
    const [row] = await binOf(owner)
    expect(Date.parse(row?.restorable_until ?? '')).toBeGreaterThan(Date.now() + 6.9 * DAY_MS)
  })
})

describe('after seven days', () => {
  test('a server cannot be restored, and the job deletes it for good and frees its name', async () => {
    const { owner, server, id } = await deletedServer(app)
    await moveDeletion(id, 7 * DAY_MS - 60_000)
    await app.runJob('purge-deleted-servers')
    expect((await binOf(owner)).map((row) => row.public_id)).toEqual([id])
    await moveDeletion(id, 7 * DAY_MS + 1000)
    expect(await binOf(owner)).toEqual([])
    expect((await restore(owner, id)).status).toBe(404)
    await app.runJob('purge-deleted-servers')
    expect(await app.db.selectFrom('all_servers').selectAll().where('public_id', '=', id).execute()).toEqual([])
    expect((await (await app.newUser()).call(servers.create, { body: { name: server.name } })).status).toBe(200)
    const [latest] = (await owner.call(ofAccount)).data
    expect(latest).toMatchObject({ action: 'SERVER_PURGED', actor: null, server: { public_id: id, name: server.name } })
  })

  test('the job run by several nodes at once records one purge', async () => {
    const { owner, id } = await deletedServer(app)
    await moveDeletion(id, 8 * DAY_MS)
    await Promise.all(Array.from({ length: 4 }, () => app.runJob('purge-deleted-servers')))
    const rows = await app.db
      .selectFrom('activity')
      .select('id')
      .where('action', '=', 'SERVER_PURGED')
      .where('owner_id', '=', owner.id)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('a restore and the job at the same time have one winner', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, id } = await deletedServer(app)
      await moveDeletion(id, 7 * DAY_MS - 30)
      const [restored] = await Promise.all([
        restore(owner, id),
        new Promise((resolve) => setTimeout(resolve, 30)).then(() => app.runJob('purge-deleted-servers')),
      ])
      expect([200, 404]).toContain(restored.status)
      expect((await owner.call(servers.get, { params: { id } })).status).toBe(restored.status)
      await emptyBin(app)
    }
  })

  test('one that fails is logged, and does not stop the others', async () => {
    const [bad, good] = [await deletedServer(app), await deletedServer(app)]
    await moveDeletion(bad.id, 9 * DAY_MS)
    await moveDeletion(good.id, 8 * DAY_MS)
    await sql`create function fail_to_purge() returns trigger language plpgsql as $$ begin
      if old.public_id = ${sql.lit(bad.id)} then raise 'no purge now'; end if; return old; end $$`.execute(app.db)
    await sql`create trigger fail_to_purge before delete on all_servers for each row execute function fail_to_purge()`.execute(app.db)
    await app.runJob('purge-deleted-servers')
    await sql`drop function fail_to_purge cascade`.execute(app.db)
    expect(app.takeLogs().filter((line) => line.includes('purge of a deleted server failed'))).toHaveLength(1)
    const left = await app.db.selectFrom('all_servers').select('public_id').where('public_id', 'in', [bad.id, good.id]).execute()
    expect(left).toEqual([{ public_id: bad.id }])
  })

  test('the cooldown of its vanity ID counts from the deletion', async () => {
    const owner = await app.newUser()
    await setTier(app, owner.id, 'RUBY')
    const { public_id: id } = await buildServer(owner, { vanity_url: 'counts-once' })
    await remove(owner, id)
    const released = () => app.db.selectFrom('released_vanity_ids').select('released_at').where('released_by', '=', owner.id).execute()
    const before = await released()
    expect(before).toHaveLength(1)
    await emptyBin(app)
    expect(await released()).toEqual(before)
  })
})

test('the export and the erasure of an account include the bin', async () => {
  const { owner, id, server } = await deletedServer(app)
  const exported = JSON.parse(await (await owner.fetch('/api/auth/me/export')).text()) as { data: { held: { servers: unknown[] } } }
  expect(exported.data.held.servers).toEqual([
    expect.objectContaining({ public_id: id, name: server.name, deleted_at: expect.any(String) }),
  ])
  await app.db
    .updateTable('users')
    .set({ delete_at: new Date(Date.now() - 1000) })
    .where('id', '=', owner.id)
    .execute()
  await app.runJob('erase-due-accounts')
  expect(await app.db.selectFrom('all_servers').selectAll().where('public_id', '=', id).execute()).toEqual([])
  expect(await app.db.selectFrom('users').selectAll().where('id', '=', owner.id).execute()).toEqual([])
})
