/** After a ban, no call of the banned user that was in flight is committed, and no new one succeeds. */
import { beforeAll, expect } from 'vitest'
import { sql } from 'kysely'
import * as account from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { banUser, changeLimits } from '#contract/users/users-admin.ts'
import { announce, buildServer, grant, newName, offer } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Call,
  type SignedInUser,
  WIDTH,
  activityRows,
  fire,
  fireOne,
  race,
  shuffled,
  startRacing,
  times,
  wait,
  newUser,
} from './race.ts'

let app: TestApp
let admin: SignedInUser
let other: SignedInUser

beforeAll(async () => {
  app = await startRacing()
  admin = await app.signIn('admin')
  other = await newUser(app)
})

/** Every write that a user can make, each on its own object. */
async function writesOf(user: SignedInUser): Promise<Call[]> {
  await admin.call(changeLimits, { params: { id: user.id }, body: { max_masterlist_tokens: 50 } })
  await admin.call(changeLimits, { params: { id: other.id }, body: { max_masterlist_tokens: 1000, max_managers: 1000 } })
  const [changed, reissued, reset, removed, offeredAway, moved, taken] = await Promise.all(times(7, () => buildServer(user)))
  const [incoming, managed, declined] = await Promise.all(times(3, () => buildServer(other)))
  const ids = [changed, reissued, reset, removed, offeredAway, moved, taken, incoming, managed, declined].map(
    (server) => server?.public_id ?? '',
  )
  const [changedId, reissuedId, resetId, removedId, offeredId, , takenId, incomingId, managedId, declinedId] = ids as [string, ...string[]]
  const outgoing = await offer(user, takenId ?? '', other.id)
  const incomingOffer = await offer(other, incomingId ?? '', user.id)
  const declinedOffer = await offer(other, declinedId ?? '', user.id)
  await grant(other, user.id, ['EDIT_DETAILS', 'REISSUE_CREDENTIAL', 'RESET_ADDRESS'])
  const received = (await grant(user, other.id, ['EDIT_DETAILS'])).id
  const params = { ownerId: other.id, serverId: managedId ?? '' }
  const name = newName()
  return [
    () => user.call(servers.create, { body: { name } }),
    () => user.call(servers.change, { params: { id: changedId }, body: { description: `Changed ${Math.random()}` } }),
    () => user.call(servers.reissue, { params: { id: reissuedId ?? '' } }),
    () => user.call(servers.resetAddress, { params: { id: resetId ?? '' } }),
    () => user.call(servers.remove, { params: { id: removedId ?? '' } }),
    () => user.call(transfers.offer, { body: { token_id: offeredId ?? '', user_id: other.id } }),
    () => user.call(transfers.cancel, { params: { id: outgoing.id } }),
    () => user.call(transfers.accept, { params: { id: incomingOffer.id } }),
    () => user.call(transfers.cancel, { params: { id: declinedOffer.id } }),
    () => user.call(managers.grant, { body: { user_id: admin.id, permissions: ['EDIT_DETAILS'] } }),
    () => user.call(managers.revoke, { body: { user_id: other.id } }),
    () => user.call(managers.changeManaged, { params, body: { description: `Managed ${Math.random()}` } }),
    () => user.call(managers.reissueManaged, { params }),
    () => user.call(managers.resetManagedAddress, { params }),
    // Another user's call on the banned user's data: it may fail, but cleanly.
    () => other.call(managers.resign, { params: { id: received } }),
    () => other.call(transfers.accept, { params: { id: outgoing.id } }),
  ]
}

/** How many of the writes above are calls of another user. */
const BY_OTHERS = 2

/** All data of the user and everything they did, as committed now. */
async function everythingOf(userId: string): Promise<string> {
  const { rows } = await sql<{ all: unknown }>`
    select json_build_object(
      'user', (select json_agg(u) from users u where id = ${userId}::uuid),
      'servers', (select json_agg(s order by public_id) from servers s where owner_id = ${userId}::uuid),
      'credentials', (select json_agg(c order by c.id) from credentials c join servers s on s.public_id = c.server_id
        where owner_id = ${userId}::uuid),
      'manager_grants', (select json_agg(m order by id) from manager_grants m where owner_id = ${userId}::uuid),
      'transfers', (select json_agg(t order by id) from transfers t where ${userId}::uuid in (from_user_id, to_user_id)),
      'activity', (select json_agg(a order by id) from activity a where actor_id = ${userId}::uuid)
    ) as all`.execute(app.db)
  return JSON.stringify(rows[0]?.all)
}

const errorOf = (text: string) => JSON.parse(text) as { errors: string[] }

race('no call of a user that was in flight is committed after the ban returned', async (index) => {
  const user = await newUser(app)
  const writes = await writesOf(user)
  const own = writes.slice(0, -BY_OTHERS)
  // Fill up to WIDTH with repeated writes of the user.
  const calls = shuffled([...writes, ...times(Math.max(0, WIDTH - writes.length), (at) => own[at % own.length] as Call)])
  let after = ''
  const ban = async (): Promise<void> => {
    // Ban in the middle of the writes, at varying times.
    await wait((index % 5) * 4)
    const banned = await fireOne(() => admin.call(banUser, { params: { id: user.id }, body: { banReason: 'Raced' } }))
    expect(banned.status).toBe(200)
    after = await everythingOf(user.id)
  }
  const banning = ban()
  const outcomes = await fire(calls)
  await banning
  // The other user's action on a grant of theirs may still have been committed; nothing else may differ.
  const withoutGrants = (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), manager_grants: null })
  expect(withoutGrants(await everythingOf(user.id))).toBe(withoutGrants(after))

  const rows = await activityRows(app)
  const banAt = rows.findIndex((row) => row.action === 'ACCOUNT_BANNED' && row.owner_id === user.id)
  expect(banAt).toBeGreaterThan(0)
  expect(rows.slice(banAt).filter((row) => row.actor_id === user.id)).toEqual([])
  expect(outcomes.filter(({ status }) => ![200, 204, 403, 404, 409].includes(status)).map(({ text }) => text)).toEqual([])
  for (const again of await fire(own)) {
    expect(again.status).toBe(403)
    expect(errorOf(again.text).errors).toEqual(['Your account is banned.'])
  }
  const open = await app.db
    .selectFrom('transfers')
    .select('id')
    .where((q) => q.or([q('from_user_id', '=', user.id), q('to_user_id', '=', user.id)]))
    .execute()
  expect(open).toEqual([])
})

race('a ban during deletion requests and cancellations is final, and the deletion matches the last change before it', async () => {
  const user = await newUser(app)
  const outcomes = await fire([
    ...times(WIDTH - 1, (at) => () => user.call(at % 2 === 0 ? account.requestDeletion : account.cancelDeletion)),
    () => admin.call(banUser, { params: { id: user.id } }),
  ])
  expect(outcomes.at(-1)?.status).toBe(200)
  const rows = (await activityRows(app))
    .filter((row) => row.owner_id === user.id && row.action.startsWith('ACCOUNT_'))
    .map((row) => row.action)
  expect(rows.at(-1)).toBe('ACCOUNT_BANNED')
  const { banned, delete_at: deleteAt } = await app.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  expect(banned).toBe(true)
  expect(deleteAt !== null).toBe(rows.findLast((action) => action.includes('DELETION')) === 'ACCOUNT_DELETION_REQUESTED')
  for (const again of await fire([() => user.call(account.requestDeletion), () => user.call(account.cancelDeletion)]))
    expect(again.status).toBe(403)
})

race('simultaneous bans and unbans are recorded alternately, and access matches the final state', async () => {
  const user = await newUser(app)
  const server = await buildServer(user)
  await announce(app, server.credential)
  const outcomes = await fire(times(WIDTH, (at) => () => admin.call(banUser, { params: { id: user.id }, body: { banned: at % 2 === 0 } })))
  expect(outcomes.map(({ status }) => status)).toEqual(times(WIDTH, () => 200))
  const { banned } = await app.db.selectFrom('users').select('banned').where('id', '=', user.id).executeTakeFirstOrThrow()
  const rows = (await activityRows(app)).filter((row) => row.owner_id === user.id && /BANNED/.test(row.action)).map((row) => row.action)
  // Each change differs from the previous one; a change without effect is not recorded.
  expect(rows).toEqual(times(rows.length, (at) => (at % 2 === 0 ? 'ACCOUNT_BANNED' : 'ACCOUNT_UNBANNED')))
  expect(rows.length % 2 === 1).toBe(banned)
  expect((await user.call(servers.list)).status).toBe(banned ? 403 : 200)
  expect((await announce(app, server.credential)).status).toBe(banned ? 403 : 200)
})
