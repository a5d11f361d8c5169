/** The erasure job: several nodes, a failing erasure, and concurrent calls. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as auth from '#contract/users/auth.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { announce, buildServer, grant, offer } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'
import { beginSignIn } from '#tests/test-user.ts'
import { readList } from '#tests/list/send.ts'
import { erase } from './erasure.ts'

let app: TestApp
let node: { readonly panelUrl: string; readonly listUrl: string }

beforeAll(async () => {
  app = await startApp({}, { isShared: true })
  node = await app.addNode()
})

const newUser = () => app.newUser()

async function makeDue(...userIds: string[]): Promise<void> {
  await app.db
    .updateTable('users')
    .set({ delete_at: sql<Date>`now() - interval '1 second'` })
    .where('id', 'in', userIds)
    .execute()
}

async function countRemaining(...userIds: string[]): Promise<number> {
  return (await app.db.selectFrom('users').select('id').where('id', 'in', userIds).execute()).length
}

async function countErasures(): Promise<number> {
  const rows = await app.db.selectFrom('activity').select('id').where('action', '=', 'ACCOUNT_ERASED').execute()
  return rows.length
}

test('two nodes erase thirty linked users, each once', async () => {
  const users: SignedInUser[] = []
  for (let index = 0; index < 30; index += 1) users.push(await newUser())
  const bystander = await newUser()
  const untouched = await buildServer(bystander)
  const created: string[] = []
  for (const [index, user] of users.entries()) {
    const next = users[(index + 1) % users.length] ?? bystander
    const server = await buildServer(user)
    created.push(server.public_id)
    await announce(app, server.credential)
    await grant(user, next.id, ['EDIT_DETAILS'])
    await offer(user, server.public_id, next.id)
  }
  await expect.poll(async () => (await readList(app)).length).toBe(30)
  const before = await countErasures()
  await makeDue(...users.map((user) => user.id))
  await expect.poll(() => countRemaining(...users.map((user) => user.id)), { timeout: 60_000 }).toBe(0)
  expect(await countErasures()).toBe(before + 30)
  const pseudonyms = await app.db.selectFrom('activity').select('owner_id').where('action', '=', 'ACCOUNT_ERASED').execute()
  expect(new Set(pseudonyms.map((row) => row.owner_id)).size).toBe(before + 30)
  expect((await bystander.call(servers.list)).data.owned.map((server) => server.public_id)).toEqual([untouched.public_id])
  const credentials = await app.db.selectFrom('credentials').select('revoked_at').where('server_id', 'is', null).execute()
  expect(credentials.filter((row) => row.revoked_at !== null)).toHaveLength(created.length)
  expect((await fetch(`${node.panelUrl}/readyz`)).status).toBe(200)
})

test('a failing erasure does not delay others and is retried', async () => {
  const [stuck, next] = [await newUser(), await newUser()]
  // Like a table that references users and is missing from the list.
  await sql`create table forgotten (user_id uuid not null references users)`.execute(app.db)
  await sql`insert into forgotten values (${stuck.id})`.execute(app.db)
  await buildServer(stuck)
  await app.db
    .updateTable('users')
    .set({ delete_at: sql<Date>`now() - interval '1 hour'` })
    .where('id', '=', stuck.id)
    .execute()
  await makeDue(next.id)
  await expect.poll(() => countRemaining(next.id), { timeout: 60_000 }).toBe(0)
  // An erasure is atomic: every row of the user is still there.
  expect(await countRemaining(stuck.id)).toBe(1)
  const held = await app.db.selectFrom('servers').select('public_id').where('owner_id', '=', stuck.id).execute()
  expect(held).toHaveLength(1)
  // Deletes only rows: dropping the table could deadlock with a running erasure.
  await sql`delete from forgotten`.execute(app.db)
  app.clock.advance(60_000)
  await expect.poll(() => countRemaining(stuck.id), { timeout: 60_000 }).toBe(0)
  const messages = app.takeLogs().map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(messages.length).toBeGreaterThan(0)
  // Once, or once per node.
  expect(messages.length).toBeLessThanOrEqual(2)
  expect(new Set(messages)).toEqual(new Set(['account erasure failed, will retry']))
})

test('either the cancellation or the erasure wins, never both', async () => {
  const outcomes = { survived: 0, erased: 0 }
  for (let round = 0; round < 20; round += 1) {
    const user = await newUser()
    const server = await buildServer(user)
    const before = await countErasures()
    await app.db
      .updateTable('users')
      .set({ delete_at: sql<Date>`clock_timestamp() + make_interval(secs => ${round / 100})` })
      .where('id', '=', user.id)
      .execute()
    // In addition to both nodes' jobs, erases in a tight loop.
    const erasing = Array.from({ length: 10 }, (_, index) => sleep(index * 6).then(() => erase(app.db, user.id)))
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => sleep(index * 12).then(() => user.call(account.cancelDeletion))),
    )
    const erased = (await Promise.all(erasing)).filter((result) => result !== undefined)
    expect(erased.length).toBeLessThanOrEqual(1)
    for (const answer of answers) expect([204, 403], answer.text).toContain(answer.status)
    const row = await app.db.selectFrom('users').select('delete_at').where('id', '=', user.id).executeTakeFirst()
    if (row?.delete_at === null) {
      outcomes.survived += 1
      expect(answers[0]?.status).toBe(204)
      expect((await user.call(servers.get, { params: { id: server.public_id } })).status).toBe(200)
      continue
    }
    outcomes.erased += 1
    expect(answers.map((answer) => answer.status)).not.toContain(204)
    await expect.poll(() => countRemaining(user.id), { timeout: 60_000 }).toBe(0)
    expect(await countErasures()).toBe(before + 1)
  }
  expect(outcomes.survived).toBeGreaterThan(0)
  expect(outcomes.erased).toBeGreaterThan(0)
}, 300_000)

test('an offer accepted or withdrawn during the erasure of a party has at most one outcome', async () => {
  const outcomes = { accepted: 0, cancelled: 0 }
  for (let round = 0; round < 6; round += 1) {
    const [leaver, friend] = [await newUser(), await newUser()]
    const [ownServer, friendServer] = [await buildServer(leaver), await buildServer(friend)]
    const toFriend = await offer(leaver, ownServer.public_id, friend.id)
    const toLeaver = await offer(friend, friendServer.public_id, leaver.id)
    await makeDue(leaver.id)
    // Repeated until the erasure, so that some round coincides with it.
    let [accepted, cancelled] = [0, 0]
    while ((await countRemaining(leaver.id)) > 0) {
      const [accept, cancel] = await Promise.all([
        round % 2 === 0 ? friend.call(transfers.accept, { params: { id: toFriend.id } }) : undefined,
        round % 3 === 0 ? friend.call(transfers.cancel, { params: { id: toLeaver.id } }) : undefined,
      ])
      for (const answer of [accept, cancel]) if (answer !== undefined) expect([204, 404], answer.text).toContain(answer.status)
      if (accept?.status === 204) accepted += 1
      if (cancel?.status === 204) cancelled += 1
    }
    const owned = (await friend.call(servers.list)).data.owned.map((server) => server.public_id)
    expect(owned).toEqual(accepted > 0 ? [ownServer.public_id, friendServer.public_id] : [friendServer.public_id])
    expect(accepted).toBeLessThanOrEqual(1)
    expect(cancelled).toBeLessThanOrEqual(1)
    outcomes.accepted += accepted
    outcomes.cancelled += cancelled
  }
  expect(outcomes.accepted).toBeGreaterThan(0)
  expect(outcomes.cancelled).toBeGreaterThan(0)
}, 300_000)

test('a user erased during their sign-in gets a new account', async () => {
  const user = await app.signIn('returner')
  const started = await beginSignIn(app.panelUrl, 'returner')
  const [, path = ''] = auth.signIn.route.split(' ')
  const pending = await app.db.transaction().execute(async (trx) => {
    // Like the erasure's lock: the sign-in finds the account and waits for its deletion.
    await trx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
    const answer = fetch(`${app.panelUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: started.cookie },
      body: JSON.stringify({ code: started.code, state: started.state }),
    })
    await sleep(500)
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await trx.deleteFrom('users').where('id', '=', user.id).execute()
    return { answer }
  })
  const answer = await pending.answer
  expect(answer.status, await answer.text()).toBe(204)
  const account = await app.db.selectFrom('users').select('id').where('username', '=', 'returner').executeTakeFirstOrThrow()
  expect(account.id).not.toBe(user.id)
  expect(await app.db.selectFrom('sessions').select('user_id').where('user_id', '=', account.id).execute()).toHaveLength(1)
})
