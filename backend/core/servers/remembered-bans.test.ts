/** A ban stays in force after its owner deletes the server. */
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as account from '#contract/users/users.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, emptyBin, newName } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readList } from '#tests/list/send.ts'

let app: TestApp
let administrator: SignedInUser

beforeAll(async () => {
  app = await startApp()
  administrator = await app.signIn('admin')
})

const ban = (id: string, body: { banned?: boolean; reason?: string; banned_until?: string | null }) =>
  administrator.call(admin.banServer, { params: { id }, body })
const stateOf = async (owner: SignedInUser, id: string) => {
  const { banned, ban_reason, banned_until } = (await owner.call(servers.get, { params: { id } })).data
  return { banned, ban_reason, banned_until }
}

async function removeForGood(owner: SignedInUser, id: string): Promise<void> {
  expect((await owner.call(servers.remove, { params: { id } })).status).toBe(204)
  await emptyBin(app)
}

/** A server that was banned, announced from this address, and deleted by its owner for good. */
async function deleteBannedServer(until: string | null = null, from = '127.0.0.2') {
  const owner = await app.newUser()
  const name = newName()
  const { public_id: id, credential } = await buildServer(owner, { name })
  expect((await announceFrom(app, credential, {}, { from })).status).toBe(200)
  expect((await ban(id, { reason: 'Fake players', banned_until: until })).status).toBe(200)
  await removeForGood(owner, id)
  return { owner, name }
}

test('applies to a server of the same owner with the same or a look-alike name, with its reason and end', async () => {
  const until = '2036-12-03T12:00:00.000Z'
  const { owner, name } = await deleteBannedServer(until)
  const recreated = await owner.call(servers.create, { body: { name: name.toUpperCase() } })
  expect(recreated.status, recreated.text).toBe(200)
  expect(recreated.data).toMatchObject({ banned: true, ban_reason: 'Fake players', banned_until: until })
  expect((await announceFrom(app, recreated.data.credential)).rejection.code).toBe('SERVER_BANNED')
})

test('applies under a key that an earlier version of the look-alike rule stored', async () => {
  const { owner } = await deleteBannedServer()
  await sql`update remembered_bans set name_key = 'wild ro\u0338le' where owner_id = ${owner.id}`.execute(app.db)
  const recreated = await owner.call(servers.create, { body: { name: 'Wild Røle' } })
  expect([recreated.status, recreated.data.banned]).toEqual([200, true])
  expect((await ban(recreated.data.public_id, { banned: false })).status).toBe(200)
  expect((await sql`select 1 from remembered_bans where owner_id = ${owner.id}`.execute(app.db)).rows).toEqual([])
})

test('applies to a server that is renamed to the banned name', async () => {
  const { owner, name } = await deleteBannedServer()
  const { public_id: id } = await buildServer(owner)
  const renamed = await owner.call(servers.change, { params: { id }, body: { name } })
  expect([renamed.status, renamed.data.banned, renamed.data.ban_reason]).toEqual([200, true, 'Fake players'])
})

test('applies to a server of the same owner that announces from the same address', async () => {
  const { owner } = await deleteBannedServer(null, '127.0.0.3')
  const { public_id: id, credential } = await buildServer(owner)
  expect((await announceFrom(app, credential, {}, { from: '127.0.0.3' })).status).toBe(200)
  await app.runJob('expire-bans')
  expect(await stateOf(owner, id)).toMatchObject({ banned: true, ban_reason: 'Fake players' })
  expect((await announceFrom(app, credential, {}, { from: '127.0.0.3' })).rejection.code).toBe('SERVER_BANNED')
  await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).not.toContain(id)
})

test('applies to the address of either family, and to the whole /64', async () => {
  const owner = await app.newUser()
  const bind = async (id: string, address: string) =>
    sql`insert into credential_addresses (credential_id, address, bound_at)
      select id, ${address}::inet, clock_timestamp() from credentials where server_id = ${id}`.execute(app.db)
  const banned = await buildServer(owner)
  for (const address of ['198.51.100.40', '2001:db8:40::1']) await bind(banned.public_id, address)
  expect((await ban(banned.public_id, {})).status).toBe(200)
  expect((await owner.call(servers.remove, { params: { id: banned.public_id } })).status).toBe(204)
  for (const [address, isBanned] of [
    ['2001:db8:40::2', true],
    ['198.51.100.40', true],
    ['2001:db8:41::1', false],
  ] as const) {
    const { public_id: id } = await buildServer(owner)
    await bind(id, address)
    await app.runJob('expire-bans')
    expect(await stateOf(owner, id), address).toMatchObject({ banned: isBanned })
  }
})

test('does not apply to an older server of the same owner at the same address', async () => {
  const owner = await app.newUser()
  const [banned, other] = [await buildServer(owner), await buildServer(owner)]
  for (const { credential } of [banned, other]) expect((await announceFrom(app, credential, {}, { from: '127.0.0.8' })).status).toBe(200)
  await expect.poll(async () => (await owner.call(servers.get, { params: { id: other.public_id } })).data.bound_address).not.toBeNull()
  expect((await ban(banned.public_id, {})).status).toBe(200)
  expect((await owner.call(servers.remove, { params: { id: banned.public_id } })).status).toBe(204)
  await app.runJob('expire-bans')
  expect(await stateOf(owner, other.public_id)).toMatchObject({ banned: false })
  expect((await announceFrom(app, other.credential, {}, { from: '127.0.0.8' })).status).toBe(200)
})

test('logs once and retries after a minute if a ban by address fails', async () => {
  const { owner } = await deleteBannedServer(null, '127.0.0.6')
  const { public_id: id, credential } = await buildServer(owner)
  expect((await announceFrom(app, credential, {}, { from: '127.0.0.6' })).status).toBe(200)
  const drop = () => sql`drop trigger if exists fail_to_ban on all_servers`.execute(app.db)
  onTestFinished(async () => void (await drop()))
  await sql`create or replace function fail_to_ban() returns trigger language plpgsql as $$ begin raise 'no ban now'; end $$`.execute(
    app.db,
  )
  await sql`create trigger fail_to_ban before update of banned on all_servers for each row execute function fail_to_ban()`.execute(app.db)
  await app.runJob('expire-bans')
  await app.runJob('expire-bans')
  expect(app.takeLogs().filter((line) => line.includes('ban update failed'))).toHaveLength(1)
  await drop()
  await app.runJob('expire-bans')
  expect(await stateOf(owner, id)).toMatchObject({ banned: false })
  app.clock.advance(60_000)
  await app.runJob('expire-bans')
  expect(await stateOf(owner, id)).toMatchObject({ banned: true, ban_reason: 'Fake players' })
})

test('does not apply to other owners, or to another name at another address', async () => {
  const { owner, name } = await deleteBannedServer(null, '127.0.0.4')
  const stranger = await app.newUser()
  const sameName = await buildServer(stranger, { name })
  const sameAddress = await buildServer(stranger)
  expect((await announceFrom(app, sameAddress.credential, {}, { from: '127.0.0.4' })).status).toBe(200)
  const other = await buildServer(owner)
  expect((await announceFrom(app, other.credential, {}, { from: '127.0.0.5' })).status).toBe(200)
  await app.runJob('expire-bans')
  expect([
    sameName.banned,
    (await stateOf(stranger, sameAddress.public_id)).banned,
    (await stateOf(owner, other.public_id)).banned,
  ]).toEqual([false, false, false])
})

test('survives another deletion and ends when it is lifted', async () => {
  const { owner, name } = await deleteBannedServer()
  const second = (await owner.call(servers.create, { body: { name } })).data
  await removeForGood(owner, second.public_id)
  const third = (await owner.call(servers.create, { body: { name } })).data
  expect(third.banned).toBe(true)
  expect((await ban(third.public_id, { banned: false })).status).toBe(200)
  await removeForGood(owner, third.public_id)
  expect((await owner.call(servers.create, { body: { name } })).data.banned).toBe(false)
})

test('ends when the original ban would have ended', async () => {
  const { owner, name } = await deleteBannedServer('2036-12-03T12:00:00.000Z')
  await app.db
    .updateTable('remembered_bans')
    .set({ banned_until: new Date(Date.now() - 1000) })
    .where('owner_id', '=', owner.id)
    .execute()
  expect((await owner.call(servers.create, { body: { name } })).data.banned).toBe(false)
  await app.runJob('expire-bans')
  expect(await app.db.selectFrom('remembered_bans').selectAll().where('owner_id', '=', owner.id).execute()).toEqual([])
})

test('is not remembered for a server that was not banned or that an administrator deleted', async () => {
  const owner = await app.newUser()
  const [plain, removed] = [await buildServer(owner), await buildServer(owner)]
  expect((await owner.call(servers.remove, { params: { id: plain.public_id } })).status).toBe(204)
  expect((await ban(removed.public_id, {})).status).toBe(200)
  expect((await administrator.call(admin.removeAdminServer, { params: { id: removed.public_id } })).status).toBe(204)
  await emptyBin(app)
  for (const { name } of [plain, removed]) expect((await owner.call(servers.create, { body: { name } })).data.banned).toBe(false)
})

test('is in the export of its owner only', async () => {
  const { owner } = await deleteBannedServer()
  const exportOf = async (user: SignedInUser) => (await user.fetch('/api/auth/me/export')).text()
  expect(await exportOf(owner)).toContain('Fake players')
  expect(await exportOf(await app.newUser())).not.toContain('Fake players')
  expect((await owner.call(account.me)).status).toBe(200)
})
