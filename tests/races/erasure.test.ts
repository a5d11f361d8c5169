/** The moment of deletion: an account is erased completely and once, or its deletion is cancelled and it stays complete. */
import { beforeAll, expect } from 'vitest'
import { sql } from 'kysely'
import * as account from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { me } from '#contract/users/users.ts'
import { erase } from '#backend/services/account/erasure.ts'
import { announce, buildServer, grant, offer } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Call,
  type SignedInUser,
  WIDTH,
  activityRows,
  fire,
  lastActivity,
  fireOne,
  race,
  startRacing,
  newUsers,
  times,
  wait,
  newUser,
} from './race.ts'

/** Long enough to prepare the calls, short enough to keep rounds fast. */
const DELAY_MS = 200

let app: TestApp

beforeAll(async () => {
  app = await startRacing({ ACCOUNT_DELETION_DELAY_HOURS: String(DELAY_MS / 3_600_000) })
})

interface Scene {
  readonly leaver: SignedInUser
  readonly friend: SignedInUser
  readonly serverIds: readonly string[]
  readonly credential: string
  /** The user's outgoing and incoming offers. */
  readonly outgoing: string
  readonly incoming: string
  readonly from: string
}

/** A user with every kind of data. */
async function createLeaver(): Promise<Scene> {
  const [leaver, friend] = (await newUsers(app, 2)) as [SignedInUser, SignedInUser]
  const [kept, offered, theirs] = await Promise.all([buildServer(leaver), buildServer(leaver), buildServer(friend)])
  await Promise.all([grant(leaver, friend.id, ['EDIT_DETAILS']), grant(friend, leaver.id, ['EDIT_DETAILS'])])
  const outgoing = await offer(leaver, offered.public_id, friend.id)
  const incoming = await offer(friend, theirs.public_id, leaver.id)
  await announce(app, kept.credential)
  const serverIds = [kept.public_id, offered.public_id]
  return {
    leaver,
    friend,
    serverIds,
    credential: kept.credential,
    outgoing: outgoing.id,
    incoming: incoming.id,
    from: await lastActivity(app),
  }
}

/** Rows of any table that reference this user. */
async function traces(userId: string): Promise<Record<string, number>> {
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type = 'uuid'`.execute(app.db)
  const found: Record<string, number> = {}
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await sql<{ count: string }>`
      select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${userId}::uuid`.execute(app.db)
    if (rows[0]?.count !== '0') found[`${table}.${column}`] = Number(rows[0]?.count)
  }
  return found
}

async function serversLeft({ serverIds }: Scene): Promise<number> {
  return (
    await app.db
      .selectFrom('servers')
      .select('public_id')
      .where('public_id', 'in', [...serverIds])
      .execute()
  ).length
}

/** The friend's lists, which name the user in four places or in none. */
async function countReferencesByFriend({ friend, leaver }: Scene): Promise<number> {
  const [mine, list] = [(await friend.call(me)).data, (await friend.call(servers.list)).data]
  return [
    mine.gived_managements.some((one) => one.manager_id === leaver.id),
    mine.recieved_managements.some((received) => received.owner_id === leaver.id),
    list.outgoing_transfers.some((one) => one.to_user.id === leaver.id),
    list.incoming_transfers.some((one) => one.from_user.id === leaver.id),
  ].filter(Boolean).length
}

async function expectIntact(scene: Scene): Promise<void> {
  const mine = await scene.leaver.call(me)
  expect(mine.status, mine.text).toBe(200)
  expect(mine.data.delete_at).toBe(null)
  expect(await serversLeft(scene)).toBe(2)
  expect(await countReferencesByFriend(scene)).toBe(4)
  const actions = (await activityRows(app, { afterId: scene.from })).map(({ action }) => action)
  expect(actions).toEqual(['ACCOUNT_DELETION_REQUESTED', 'ACCOUNT_DELETION_CANCELLED'])
}

async function expectErased(scene: Scene): Promise<void> {
  expect((await scene.leaver.call(me)).status).toBe(403)
  expect(await traces(scene.leaver.id)).toEqual({})
  expect(await serversLeft(scene)).toBe(0)
  expect(await countReferencesByFriend(scene)).toBe(0)
  const actions = (await activityRows(app, { afterId: scene.from })).map(({ action }) => action)
  expect(actions.filter((action) => action === 'ACCOUNT_ERASED')).toHaveLength(1)
  expect(actions).not.toContain('ACCOUNT_DELETION_CANCELLED')
}

/** A run of the erasure job on one of several nodes. */
const eraseCall =
  (userId: string): Call =>
  async () => ({ status: 200, text: '', data: (await erase(app.db, userId)) !== undefined })

const isErased = async (userId: string) =>
  (await app.db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) === undefined

/** The erasure skips accounts that another transaction has locked, and retries. */
async function untilErased(userId: string): Promise<number> {
  for (let erased = 0; ;) {
    if ((await erase(app.db, userId)) !== undefined) erased += 1
    if (await isErased(userId)) return erased
    await wait(5)
  }
}

const makeDue = (userId: string) =>
  app.db
    .updateTable('users')
    .set({ delete_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute()

race('a user who cancels at the moment of deletion keeps everything or loses everything', async (index) => {
  const scene = await createLeaver()
  const { leaver } = scene
  const requested = await leaver.call(account.requestDeletion)
  expect(requested.status, requested.text).toBe(200)
  const due = Date.parse(requested.data)
  // The window of 20 ms moves around the due time in each round, because the delay of calls varies.
  const shift = ((index * 3) % 8) * 10 - 60
  const at =
    (offset: number, call: Call): Call =>
    async () => {
      await wait(due + offset + shift - Date.now())
      return call()
    }
  const half = WIDTH / 2
  const offsets = times(half, (place) => (place * 20) / half - 8)
  const cancel = () => leaver.call(account.cancelDeletion)
  const outcomes = await fire([
    ...offsets.map((offset) => at(offset, cancel)),
    ...offsets.map((offset) => at(offset, eraseCall(leaver.id))),
  ])
  const cancels = outcomes.slice(0, half)
  for (const { status } of cancels) expect([204, 403, 404]).toContain(status)
  const clock = Date.now() - performance.now()
  const returnedBeforeDue = cancels.filter(({ endedAt }) => endedAt + clock < due)
  expect(returnedBeforeDue.map(({ status }) => status)).toEqual(returnedBeforeDue.map(() => 204))
  const isKept = cancels.some(({ status }) => status === 204)
  if (!isKept) await untilErased(leaver.id)
  await (isKept ? expectIntact(scene) : expectErased(scene))
  if (isKept) expect((await eraseCall(leaver.id)()).data).toBe(false)
})

race('concurrent erasures erase a due account once, even during other calls', async () => {
  const scene = await createLeaver()
  const { leaver, friend, credential, serverIds } = scene
  await makeDue(leaver.id)
  const managed = { ownerId: leaver.id, serverId: serverIds[0] ?? '' }
  const kinds: Call[] = [
    eraseCall(leaver.id),
    () => leaver.call(account.cancelDeletion),
    () => friend.call(managers.changeManaged, { params: managed, body: { description: `Late ${Math.random()}` } }),
    () => friend.call(transfers.cancel, { params: { id: scene.incoming } }),
    () => friend.call(managers.revoke, { body: { user_id: leaver.id } }),
    async () => {
      const response = await announce(app, credential)
      return { status: response.status, text: await response.text(), data: undefined }
    },
    () => leaver.call(me),
  ]
  await fire(times(WIDTH, (index) => kinds[index % kinds.length] as Call))
  await untilErased(leaver.id)
  await expectErased(scene)
})

race('a server accepted while its sender is erased belongs to the recipient or is gone', async () => {
  const scene = await createLeaver()
  const { leaver, friend, serverIds, outgoing } = scene
  await makeDue(leaver.id)
  const accept: Call = () => friend.call(transfers.accept, { params: { id: outgoing } })
  const outcomes = await fire(times(WIDTH, (index) => (index % 2 === 0 ? accept : eraseCall(leaver.id))))
  await untilErased(leaver.id)
  const accepts = outcomes.filter((_, index) => index % 2 === 0).map(({ status }) => status)
  const won = accepts.filter((status) => status === 204).length
  expect(won).toBeLessThanOrEqual(1)
  for (const status of accepts) expect([204, 404]).toContain(status)
  const row = await app.db
    .selectFrom('servers')
    .select('owner_id')
    .where('public_id', '=', serverIds[1] ?? '')
    .executeTakeFirst()
  expect(row?.owner_id).toBe(won === 1 ? friend.id : undefined)
  expect(await traces(leaver.id)).toEqual({})
})

race('users linked by grants and offers are erased concurrently, each once', async () => {
  const users = await newUsers(app, 4)
  const from = await lastActivity(app)
  for (const [index, user] of users.entries()) {
    const next = users[(index + 1) % users.length] as SignedInUser
    await grant(user, next.id, ['EDIT_DETAILS'])
    await offer(user, (await buildServer(user)).public_id, next.id)
  }
  await Promise.all(users.map(({ id }) => makeDue(id)))
  await fire(times(WIDTH, (index) => eraseCall(users[index % users.length]?.id ?? '')))
  for (const { id } of users) await untilErased(id)
  for (const { id } of users) expect(await traces(id)).toEqual({})
  const actions = (await activityRows(app, { afterId: from })).map(({ action }) => action)
  expect(actions.filter((action) => action === 'ACCOUNT_ERASED')).toHaveLength(users.length)
})

race('a sign-in during the erasure creates a new user, or its session ends with the erased account', async () => {
  const leaver = await newUser(app)
  const username = (await leaver.call(me)).data.discord.username
  await makeDue(leaver.id)
  const sessions: SignedInUser[] = []
  const signInCall: Call = async () => {
    sessions.push(await app.signIn(username))
    return { status: 204, text: '', data: undefined }
  }
  await fire([...times(4, () => signInCall), ...times(WIDTH - 4, () => eraseCall(leaver.id))])
  await untilErased(leaver.id)
  for (const session of sessions) {
    const { status, data } = await fireOne(() => session.call(me))
    if (session.id === leaver.id) expect(status).toBe(403)
    else expect([status, (data as { id: string }).id]).toEqual([200, session.id])
  }
  const rows = await app.db.selectFrom('users').select('id').where('username', '=', username).execute()
  expect(rows.length).toBeLessThanOrEqual(1)
})
