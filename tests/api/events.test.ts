/** Reactions to domain events: every event type has an entry, and reactions survive a crash after the commit. */
import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { ACTIONS } from '#contract/events/events.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import { banUser } from '#contract/users/users-admin.ts'
import { REACTIONS } from '#backend/app/subscribers.ts'
import { UNRECORDED_TYPES, recordEvent } from '#backend/core/events/events.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { announce, buildServer, offer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { type Program, discard, startProgram, temporaryFolder, until, untilReady } from '#tests/program.ts'

const programs: Program[] = []
afterEach(() => {
  for (const program of programs.splice(0)) {
    discard(program.folder, program)
    rmSync(program.folder, { recursive: true, force: true })
  }
})

const listed = async ({ listUrl }: Pick<TestApp, 'listUrl'>): Promise<string[]> =>
  ((await (await fetch(`${listUrl}/servers`)).json()) as { publicId: string }[]).map((row) => row.publicId)

test('every event type has an entry in REACTIONS, and only ACCOUNT_CREATED and ISSUE_NOTED have no reaction', () => {
  expect(Object.keys(REACTIONS).toSorted()).toEqual([...ACTIONS, ...UNRECORDED_TYPES].toSorted())
  const without = Object.entries(REACTIONS).filter(([, reactions]) => Object.keys(reactions).length === 0)
  expect(without.map(([type]) => type).toSorted()).toEqual(['ACCOUNT_CREATED', 'ISSUE_NOTED'])
})

describe('a transaction', () => {
  test('that is rolled back records no event and triggers no reaction', async () => {
    const app = await startApp()
    const owner = await app.newUser()
    const server = await buildServer(owner)
    const panel = await listen(owner)
    const failing = transaction(app.db, async (trx) => {
      await recordEvent(trx, { action: 'SERVER_DELETED', as: 'self', actorId: owner.id, ownerId: owner.id, server })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    const { rows } = await sql`select from activity where action = 'SERVER_DELETED'`.execute(app.db)
    expect(rows).toEqual([])
    // The panel receives only the next event.
    await owner.call(servers.change, { params: { id: server.public_id }, body: { description: 'next' } })
    await panel.until((one) => one.event === 'account')
    expect(panel.received.filter((one) => one.event === 'account').map((one) => one.data['changed'])).toEqual([['activity']])
    panel.close()
  })

  test('is required to record an event', async () => {
    const app = await startApp()
    const event = { action: 'ACCOUNT_CREATED', as: 'system', actorId: null, ownerId: null } as const
    await expect(recordEvent(app.db, event)).rejects.toThrow('This needs a transaction started by transaction().')
  })
})

describe('a ban', () => {
  test.each(['an administrator', 'expiry'])('ended by %s has the same consequences', async (who) => {
    const app = await startApp()
    const admin = await app.signIn('admin')
    const owner = await app.newUser()
    const server = await buildServer(owner)
    const end = async (table: 'users' | 'servers', lift: () => Promise<unknown>) => {
      if (who === 'an administrator') return lift()
      await sql`update ${sql.table(table)} set banned_until = now() - interval '1 second' where banned`.execute(app.db)
      return app.runJob('expire-bans')
    }

    await admin.call(banServer, { params: { id: server.public_id }, body: { banned: true } })
    const panel = await listen(owner)
    await end('servers', () => admin.call(banServer, { params: { id: server.public_id }, body: { banned: false } }))
    await panel.until((one) => one.event === 'account' && String(one.data['changed']) === 'servers,activity,notifications')
    expect((await announce(app, server.credential)).status).toBe(200)
    panel.close()

    await admin.call(banUser, { params: { id: owner.id }, body: { banned: true } })
    expect((await announce(app, server.credential)).status).toBe(403)
    await end('users', () => admin.call(banUser, { params: { id: owner.id }, body: { banned: false } }))
    expect((await announce(app, server.credential)).status).toBe(200)
    const { rows } = await sql<{ action: string }>`
      select action from activity where owner_id = ${owner.id} and action like '%UNBANNED' order by id`.execute(app.db)
    expect(rows.map((row) => row.action)).toEqual(['SERVER_UNBANNED', 'ACCOUNT_UNBANNED'])
  })
})

test('a ban takes effect on another node and after a restart if the process is killed between commit and dispatch', async () => {
  const app = await startApp({}, { isShared: true, pool: 6 })
  const admin = await app.signIn('admin')
  const [owner, recipient] = [await app.newUser(), await app.newUser()]
  const server = await buildServer(owner)
  await offer(owner, server.public_id, recipient.id)
  expect((await announce(app, server.credential)).status).toBe(200)
  await expect.poll(() => listed(app)).toEqual([server.public_id])

  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db)
  const url = `postgres://postgres@/${rows[0]?.name}?host=${encodeURIComponent(inject('socketFolder'))}`
  const program = await untilReady(await startProgram(temporaryFolder(), { NODE_ENV: 'test', DATABASE_URL: url }))
  programs.push(program)
  // Delays the commit, so that the program dies while waiting for it.
  await sql`create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(2); return null; end'`.execute(app.db)
  await sql`create constraint trigger wait after insert on activity deferrable initially deferred
    for each row when (new.action = 'ACCOUNT_BANNED') execute function wait()`.execute(app.db)
  const call = admin
    .at(program)
    .call(banUser, { params: { id: owner.id }, body: { banned: true } })
    .catch(() => 'aborted')
  const isCommitting = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and state = 'active' and query ilike 'commit%'`.execute(
        app.db,
      )
    ).rows.length > 0
  await until(isCommitting)
  program.child.kill('SIGKILL')
  expect(await call).toBe('aborted')

  const isBanned = async () => (await app.db.selectFrom('users').select('banned').where('id', '=', owner.id).executeTakeFirst())?.banned
  await expect.poll(isBanned).toBe(true)
  expect((await recipient.call(servers.list)).data.incoming_transfers).toEqual([])
  await expect.poll(() => listed(app), { timeout: 20_000 }).toEqual([])
  expect((await announce(app, server.credential)).status).toBe(403)
  const again = await untilReady(await startProgram(program.folder, { NODE_ENV: 'test', DATABASE_URL: url }))
  programs.push(again)
  expect(await listed(again)).toEqual([])
  expect((await announce(again, server.credential)).status).toBe(403)
}, 60_000)
