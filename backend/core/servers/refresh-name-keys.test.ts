/** Names that an earlier version of the look-alike rule allowed. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as protection from '#contract/protection/protection.ts'
import { adminServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, newName } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'

test('keeps a name that is now a look-alike, and reports it to administrators once, without a consequence', async () => {
  const app = await startApp()
  const [first, second, admin] = [await app.newUser(), await app.newUser(), await app.signIn('admin')]
  const name = newName()
  const older = await buildServer(first, { name: `${name} City` })
  const younger = await buildServer(second)
  // The keys that the previous rule stored.
  await app.restart(async () => {
    await sql`update servers set name_key = 'former key one', name_key_version = 1 where public_id = ${older.public_id}`.execute(app.db)
    await sql`update servers set name = ${`${name} C!ty`}, name_key = 'former key two', name_key_version = 1
      where public_id = ${younger.public_id}`.execute(app.db)
  })
  await app.runJob('refresh-name-keys')
  const nameOf = async (publicId: string) => (await admin.call(adminServer, { params: { id: publicId } })).data.name
  expect([await nameOf(older.public_id), await nameOf(younger.public_id)]).toEqual([`${name} City`, `${name} C!ty`])
  const issues = async () =>
    (await admin.call(protection.issues, { query: { kind: ['IMPERSONATION'] } })).data.data.filter(
      (issue) => issue.server?.public_id === younger.public_id,
    )
  expect(await issues()).toMatchObject([{ severity: 'LOW', status: 'OPEN', occurrences: 1 }])
  await app.runJob('refresh-name-keys')
  expect(await issues()).toMatchObject([{ occurrences: 1 }])
  // The key is taken, but the younger server's other fields can still change.
  expect((await first.call(servers.create, { body: { name: `${name} Ciтy` } })).error.businessStatus).toBe('NAME_ALREADY_EXISTS')
  expect((await second.call(servers.change, { params: { id: younger.public_id }, body: { description: 'Still mine' } })).status).toBe(200)
  expect((await second.call(servers.change, { params: { id: younger.public_id }, body: { name: newName() } })).status).toBe(200)
})

test('a key that another server gives up goes to the older server, without a report', async () => {
  const app = await startApp()
  const [owner, admin] = [await app.newUser(), await app.signIn('admin')]
  const [older, younger] = [await buildServer(owner), await buildServer(owner)]
  const keyOf = async (publicId: string) =>
    (await app.db.selectFrom('servers').select('name_key').where('public_id', '=', publicId).executeTakeFirstOrThrow()).name_key
  const keys = [await keyOf(older.public_id), await keyOf(younger.public_id)]
  const store = (publicId: string, key: string) =>
    app.db.updateTable('servers').set({ name_key: key, name_key_version: 1 }).where('public_id', '=', publicId).execute()
  await store(older.public_id, 'former key')
  await store(younger.public_id, keys[0] ?? '')
  await app.runJob('refresh-name-keys')
  expect([await keyOf(older.public_id), await keyOf(younger.public_id)]).toEqual(keys)
  expect((await admin.call(protection.issues, { query: { kind: ['IMPERSONATION'] } })).data.data).toEqual([])
})

test('refreshes in batches, stops with the program, and continues after the next start', async () => {
  const app = await startApp()
  const owner = await app.newUser()
  const total = 350
  await sql`insert into all_servers (public_id, owner_id, name, name_key, name_key_version)
    select 'A' || lpad(n::text, 6, '0'), ${owner.id}, 'Stale ' || n, 'former key ' || n, 1 from generate_series(1, ${total}::int) n`.execute(
    app.db,
  )
  const countStale = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from all_servers where name_key_version = 1`.execute(app.db)
    return rows[0]?.count ?? 0
  }
  const running = app.runJob('refresh-name-keys')
  await expect.poll(countStale, { interval: 1 }).toBeLessThan(total)
  let left = 0
  await app.restart(async () => {
    left = await countStale()
  })
  await running
  expect(left).toBeGreaterThan(0)
  await app.runJob('refresh-name-keys')
  expect(await countStale()).toBe(0)
})

test('keeps a name with a character that is now rejected, reports it to administrators once, and the server can still be edited', async () => {
  const app = await startApp()
  const [owner, admin] = [await app.newUser(), await app.signIn('admin')]
  const { public_id: id } = await buildServer(owner)
  const name = `${newName()}\u2065`
  await app.restart(async () => {
    await sql`update servers set name = ${name}, name_key_version = 2 where public_id = ${id}`.execute(app.db)
  })
  const issues = async () =>
    (await admin.call(protection.issues, { query: { kind: ['IMPERSONATION'] } })).data.data.filter(
      (issue) => issue.server?.public_id === id,
    )
  for (const run of ['first', 'second']) {
    await app.runJob('refresh-name-keys')
    expect([run, (await owner.call(servers.get, { params: { id } })).data.name]).toEqual([run, name])
    expect(await issues()).toMatchObject([{ severity: 'LOW', status: 'OPEN', occurrences: 1, summary: expect.stringContaining('U+2065') }])
  }
  expect((await owner.call(servers.change, { params: { id }, body: { description: 'Still mine' } })).status).toBe(200)
  expect((await owner.call(servers.change, { params: { id }, body: { name } })).error.errors[0]).toMatch(/^Name can't contain U\+2065: /)
  expect((await owner.call(servers.change, { params: { id }, body: { name: newName() } })).status).toBe(200)
})

test.each(['ϲ', '🅒', '🅲', '🇨', '⒞'])('rejects a name with %s in place of c if the plain name is taken', async (letter) => {
  const app = await startApp()
  const user = await app.newUser()
  const name = newName()
  expect((await user.call(servers.create, { body: { name: `${name} City` } })).status).toBe(200)
  const rejected = await user.call(servers.create, { body: { name: `${name} ${letter}ity` } })
  expect([rejected.status, rejected.error.businessStatus]).toEqual([409, 'NAME_ALREADY_EXISTS'])
})
