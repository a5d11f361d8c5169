/** Activity of servers and accounts: what is recorded, and who sees it. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { banUser, changeLimits } from '#contract/users/users-admin.ts'
import { buildServer, grant, newName, offer, setTier } from '#tests/factories.ts'
import { type TestUser, type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'
import { userActivityPage } from './activity.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const newUser = () => app.newUser()
const ofServer = async (user: TestUser, id: string) => (await user.call(activity.ofServer, { params: { id } })).data
const ofAccount = async (user: TestUser) => (await user.call(activity.ofAccount)).data
const summarize = (entries: readonly activity.ActivityEntry[]) =>
  entries.map((entry) => [entry.action, entry.as, entry.before, entry.after])

test('records every change of a server with actor, action, before and after', async () => {
  const owner = await newUser()
  const name = newName()
  const { public_id: id, credential } = await buildServer(owner, { name, tags: ['one'] })
  const params = { id }
  await owner.call(servers.change, { params, body: { description: 'New', tags: ['one'], language: 'de' } })
  const reissued = await owner.call(servers.reissue, { params, body: { grace_seconds: 3600 } })
  await owner.call(servers.resetAddress, { params })
  const entries = await ofServer(owner, id)
  expect(summarize(entries)).toEqual([
    ['ADDRESS_RESET', 'self', null, null],
    ['CREDENTIAL_REISSUED', 'self', null, { credential_hint: reissued.data.credential_hint, grace_seconds: 3600 }],
    ['SERVER_CHANGED', 'self', { description: '', language: 'all' }, { description: 'New', language: 'de' }],
    ['SERVER_CREATED', 'self', null, { name, tags: ['one'] }],
  ])
  for (const entry of entries) expect(entry).toMatchObject({ actor: { id: owner.id }, server: { public_id: id, name }, user: null })
  expect(JSON.stringify(entries)).not.toContain(credential)
  expect(JSON.stringify(entries)).not.toContain(reissued.data.credential)
})

test('records nothing for rejected calls and for calls that change nothing', async () => {
  const owner = await newUser()
  const [server, other] = [await buildServer(owner), await buildServer(await newUser())]
  const params = { id: server.public_id }
  await owner.call(servers.change, { params, body: { name: other.name } })
  await owner.call(servers.change, { params, body: { vanity_url: 'not-allowed' } })
  await owner.call(servers.change, { params, body: { name: server.name, visible: true } })
  await owner.call(servers.change, { params, body: {} })
  expect(summarize(await ofServer(owner, server.public_id)).map(([action]) => action)).toEqual(['SERVER_CREATED'])
})

test('records a moved promotion for both servers', async () => {
  const owner = await newUser()
  await setTier(app, owner.id, 'RUBY')
  const [first, second] = [await buildServer(owner, { promoted: true }), await buildServer(owner)]
  await owner.call(servers.change, { params: { id: second.public_id }, body: { promoted: true } })
  expect(summarize(await ofServer(owner, first.public_id))[0]).toEqual(['SERVER_CHANGED', 'self', { promoted: true }, { promoted: false }])
})

test("records a manager's action under the manager's name, for owner and manager", async () => {
  const [owner, manager] = [await newUser(), await newUser()]
  const server = await buildServer(owner)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  const params = { ownerId: owner.id, serverId: server.public_id }
  await manager.call(managers.changeManaged, { params, body: { description: 'By hand' } })
  const [entry] = await ofServer(owner, server.public_id)
  expect(entry).toMatchObject({ action: 'SERVER_CHANGED', as: 'manager', actor: { id: manager.id }, owner: { id: owner.id } })
  expect((await ofAccount(manager))[0]).toEqual(entry)
  expect((await manager.call(activity.ofServer, { params: { id: server.public_id } })).status).toBe(404)
})

test('shows manager grants to both sides', async () => {
  const [owner, manager] = [await newUser(), await newUser()]
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  await grant(owner, manager.id, ['RESET_ADDRESS'])
  await grant(owner, manager.id, ['RESET_ADDRESS'])
  await owner.call(managers.revoke, { body: { user_id: manager.id } })
  const { id } = await grant(owner, manager.id, ['EDIT_DETAILS'])
  await manager.call(managers.resign, { params: { id } })
  const details = { permissions: ['EDIT_DETAILS'] }
  const address = { permissions: ['RESET_ADDRESS'] }
  const expected = [
    ['MANAGER_REFUSED', 'manager', details, null],
    ['MANAGER_GRANTED', 'self', null, details],
    ['MANAGER_REVOKED', 'self', address, null],
    ['MANAGER_CHANGED', 'self', details, address],
    ['MANAGER_GRANTED', 'self', null, details],
    ['ACCOUNT_CREATED', 'self', null, null],
  ]
  expect(summarize(await ofAccount(owner))).toEqual(expected)
  expect(summarize(await ofAccount(manager))).toEqual(expected)
  expect((await ofAccount(owner))[1]).toMatchObject({ user: { id: manager.id }, owner: { id: owner.id }, server: null })
})

test("shows a transfer to both sides, and the new owner's activity of the server begins with it", async () => {
  const [sender, recipient] = [await newUser(), await newUser()]
  const server = await buildServer(sender)
  const id = { id: (await offer(sender, server.public_id, recipient.id)).id }
  await recipient.call(transfers.cancel, { params: id })
  const second = { id: (await offer(sender, server.public_id, recipient.id)).id }
  await sender.call(transfers.cancel, { params: second })
  const third = { id: (await offer(sender, server.public_id, recipient.id)).id }
  await recipient.call(transfers.accept, { params: third })
  const actions = (entries: readonly activity.ActivityEntry[]) => entries.map((entry) => entry.action)
  const offers = ['TRANSFER_OFFERED', 'TRANSFER_CANCELLED', 'TRANSFER_OFFERED', 'TRANSFER_DECLINED', 'TRANSFER_OFFERED']
  expect(actions(await ofAccount(sender))).toEqual(['TRANSFER_ACCEPTED', ...offers, 'SERVER_CREATED', 'ACCOUNT_CREATED'])
  expect(actions(await ofAccount(recipient))).toEqual(['TRANSFER_ACCEPTED', ...offers, 'ACCOUNT_CREATED'])
  expect(actions(await ofServer(recipient, server.public_id))).toEqual(['TRANSFER_ACCEPTED'])
  expect((await ofServer(recipient, server.public_id))[0]).toMatchObject({ actor: { id: recipient.id }, owner: { id: sender.id } })
})

test("hides an administrator's name", async () => {
  const user = await newUser()
  await admin.call(changeLimits, { params: { id: user.id }, body: { max_masterlist_tokens: 7 } })
  await admin.call(banUser, { params: { id: user.id }, body: { banned: true, banReason: 'Spam' } })
  await admin.call(banUser, { params: { id: user.id }, body: { banned: false } })
  const entries = await ofAccount(user)
  expect(summarize(entries).slice(0, 3)).toEqual([
    ['ACCOUNT_UNBANNED', 'administrator', { banned: true, ban_reason: 'Spam' }, { banned: false, ban_reason: null }],
    ['ACCOUNT_BANNED', 'administrator', { banned: false, ban_reason: null }, { banned: true, ban_reason: 'Spam' }],
    ['LIMITS_CHANGED', 'administrator', { max_masterlist_tokens: null }, { max_masterlist_tokens: 7 }],
  ])
  expect(JSON.stringify(entries)).not.toContain(admin.id)
})

test('returns older entries page by page without duplicates or gaps', async () => {
  const owner = await newUser()
  const { public_id: id } = await buildServer(owner)
  for (let count = 0; count < 120; count += 1) await owner.call(servers.change, { params: { id }, body: { description: `${count}` } })
  const seen: string[] = []
  for (let before: string | undefined; ; before = seen.at(-1)) {
    const query = before === undefined ? {} : { before }
    const { data } = await owner.call(activity.ofServer, { params: { id }, query })
    const { data: accountEntries } = await owner.call(activity.ofAccount, { query })
    if (data.length === 0) break
    seen.push(...data.map((entry) => entry.id))
    expect(accountEntries.filter((entry) => entry.server !== null).map((entry) => entry.id)).toEqual(data.map((entry) => entry.id))
  }
  expect(new Set(seen).size).toBe(121)
})

test('reads a page from indexes only', async () => {
  const owner = await newUser()
  await sql`analyze activity`.execute(app.db)
  const plans: string[] = []
  for (const before of [undefined, '1000000']) {
    const query = userActivityPage(app.db, owner.id, before).compile()
    // The planner may scan a small table, so this checks that a plan from indexes exists.
    const plan = await app.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await trx.executeQuery<{ 'QUERY PLAN': string }>({ ...query, sql: `explain ${query.sql}` })
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    plans.push(plan)
  }
  for (const plan of plans) {
    for (const index of ['activity_owner', 'activity_other', 'activity_actor']) expect(plan).toContain(index)
    expect(plan).not.toMatch(/Backward on activity_pkey|Seq Scan/)
  }
})

test.each(['abc', '-1', '1e3', '99999999999999999999'])('rejects a page after %s with a message', async (before) => {
  const owner = await newUser()
  const rejected = await owner.call(activity.ofAccount, { query: { before } })
  expect(rejected.status).toBe(400)
  expect(rejected.error.errors).toEqual(['before must be the ID of the last entry on the previous page.'])
})
