/** The panel keeps at least one administrator during concurrent bans, deletions and removals. */
import { beforeAll, expect } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as users from '#contract/users/users.ts'
import { banUser, changeLimits, takeBenefit } from '#contract/users/users-admin.ts'
import { AppError } from '#backend/platform/errors.ts'
import { setAdministrator } from '#backend/core/users/administration.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Call,
  type Outcome,
  type SignedInUser,
  WIDTH,
  activityRows,
  fire,
  lastActivity,
  race,
  startRacing,
  newUsers,
  succeeded,
  times,
  wait,
} from './race.ts'

let app: TestApp
let two: [SignedInUser, SignedInUser]

beforeAll(async () => {
  app = await startRacing()
  two = (await newUsers(app, 2)) as [SignedInUser, SignedInUser]
  for (const { id } of two) await app.db.insertInto('benefit_grants').values({ user_id: id, key: 'ADMIN' }).execute()
})

/** Makes both users administrators again. */
async function restore(): Promise<void> {
  const grants = two.map(({ id }) => ({ user_id: id, key: 'ADMIN' }))
  await app.db
    .insertInto('benefit_grants')
    .values(grants)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await app.db.updateTable('users').set({ banned: false, ban_reason: null, banned_at: null, banned_until: null, delete_at: null }).execute()
}

async function activeAdministrators(of: TestApp = app): Promise<number> {
  const rows = await of.db
    .selectFrom('benefit_grants')
    .innerJoin('users', 'users.id', 'benefit_grants.user_id')
    .select('users.id')
    .where('key', '=', 'ADMIN')
    .where('banned', '=', false)
    .where('delete_at', 'is', null)
    .execute()
  return rows.length
}

const ban = (who: SignedInUser, target: SignedInUser) => () => who.call(banUser, { params: { id: target.id } })
const demote = (who: SignedInUser, target: SignedInUser) => () => who.call(takeBenefit, { params: { id: target.id, key: 'ADMIN' } })
const requestDeletion = (who: SignedInUser) => () => who.call(account.requestDeletion)

race('two administrators who ban each other at once leave one', async () => {
  await restore()
  const [a, b] = two
  const from = await lastActivity(app)
  await fire(times(WIDTH, (at) => (at % 2 === 0 ? ban(a, b) : ban(b, a))))
  expect(await activeAdministrators()).toBe(1)
  expect((await activityRows(app, { afterId: from })).map((row) => row.action)).toEqual(['ACCOUNT_BANNED'])
})

race('of two administrators who delete their accounts at once, one is rejected', async () => {
  await restore()
  const [a, b] = two
  const outcomes = await fire(times(WIDTH, (at) => requestDeletion(at % 2 === 0 ? a : b)))
  expect(succeeded(outcomes)).toBe(1)
  for (const { status } of outcomes) expect([200, 403]).toContain(status)
  expect(await activeAdministrators()).toBe(1)
})

race('simultaneous bans of self, bans of the other and deletions leave one administrator', async () => {
  await restore()
  const [a, b] = two
  const kinds = [ban(a, b), ban(b, a), requestDeletion(a), requestDeletion(b), ban(a, a), ban(b, b)]
  const from = await lastActivity(app)
  await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? requestDeletion(a)))
  expect(await activeAdministrators()).toBe(1)
  // One may leave and be banned too; the other stays.
  expect((await activityRows(app, { afterId: from })).length).toBeLessThanOrEqual(2)
})

race('an administrator changes nothing after a ban', async () => {
  await restore()
  const [a, b] = two
  const from = await lastActivity(app)
  const limit = (at: number) => () => b.call(changeLimits, { params: { id: a.id }, body: { max_managers: at + 1 } })
  const outcomes = await fire([...times(WIDTH - 1, limit), ban(a, b)])
  expect(outcomes.at(-1)?.status).toBe(200)
  const rows = await activityRows(app, { afterId: from })
  expect(rows.at(-1)?.action).toBe('ACCOUNT_BANNED')
  expect(rows.length - 1).toBeLessThanOrEqual(succeeded(outcomes.slice(0, -1)))
  expect((await limit(0)()).status).toBe(403)
})

race('administrators who remove ADMIN, ban and delete at once leave one', async () => {
  await restore()
  const [a, b] = two
  const kinds = [demote(a, b), demote(b, a), demote(a, a), demote(b, b), ban(a, b), requestDeletion(b)]
  const outcomes = await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? demote(a, b)))
  for (const { status, text } of outcomes) expect([200, 403], text).toContain(status)
  expect(await activeAdministrators()).toBe(1)
})

/** `muster admin revoke`, which bypasses the running program. */
const revoke =
  (of: TestApp, discordId: string): Call =>
  () =>
    setAdministrator(of.db, discordId, false).then(
      (username) => ({ status: 200, text: username, data: undefined }),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error
        return { status: error.kind === 'not-found' ? 404 : 403, text: error.message, data: undefined }
      },
    )

const discordIdOf = async (who: SignedInUser) => (await who.call(users.me)).data.discord.discord_id

race('the command line never removes the last ADMIN, even during bans, deletions and removals', async () => {
  await restore()
  const [a, b] = two
  const [ofA, ofB] = [await discordIdOf(a), await discordIdOf(b)]
  const kinds = [revoke(app, ofA), revoke(app, ofB), requestDeletion(a), ban(a, b), demote(b, a), revoke(app, ofB)]
  const outcomes = await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? requestDeletion(a)))
  for (const { status, text } of outcomes) expect([200, 403], text).toContain(status)
  expect(await activeAdministrators()).toBe(1)
  const sentences = []
  for (const discordId of [ofA, ofB]) sentences.push((await revoke(app, discordId)()).text)
  // Removing ADMIN from a user without it is not a rejection.
  expect(sentences.filter((text) => text.endsWith('is the last administrator. Make another user an administrator first.'))).toHaveLength(1)
  expect(await activeAdministrators()).toBe(1)
})

/** Bans a user for one second. */
const banBriefly = (who: SignedInUser, target: SignedInUser) => () =>
  who.call(banUser, { params: { id: target.id }, body: { banned_until: new Date(Date.now() + 1000).toISOString() } })
const unban = (who: SignedInUser, target: SignedInUser) => () => who.call(banUser, { params: { id: target.id }, body: { banned: false } })
const cancelDeletion = (who: SignedInUser) => () => who.call(account.cancelDeletion)

/** Every way to lose an administrator, for each of three: their own action and each other's. */
async function allCalls(of: TestApp, three: readonly SignedInUser[]): Promise<Call[]> {
  const ids = await Promise.all(three.map(discordIdOf))
  const alone = three.flatMap((who, at) => [
    requestDeletion(who),
    cancelDeletion(who),
    ban(who, who),
    banBriefly(who, who),
    demote(who, who),
    revoke(of, ids[at] ?? ''),
  ])
  const each = three.flatMap((who) =>
    three
      .filter((other) => other !== who)
      .flatMap((other) => [ban(who, other), banBriefly(who, other), demote(who, other), unban(who, other)]),
  )
  return [...alone, ...each]
}

async function threeAdministrators(of: TestApp): Promise<SignedInUser[]> {
  const three = await newUsers(of, 3)
  await of.db
    .insertInto('benefit_grants')
    .values(three.map(({ id }) => ({ user_id: id, key: 'ADMIN' })))
    .execute()
  return three
}

/** 400: the end of a brief ban passed before the panel handled the call. */
const expectNoErrors = (outcomes: readonly Outcome[]) => {
  for (const { status, text } of outcomes) expect([200, 204, 400, 403, 404], text).toContain(status)
}

race('of three administrators who lose the role in every possible way, at least one remains', async () => {
  await app.db.deleteFrom('benefit_grants').execute()
  const three = await threeAdministrators(app)
  expectNoErrors(await fire(await allCalls(app, three)))
  expect(await activeAdministrators()).toBeGreaterThan(0)
  // The short bans expire during the second attempt.
  await wait(900)
  expectNoErrors(await fire(await allCalls(app, three)))
  expect(await activeAdministrators()).toBeGreaterThan(0)
  const left = await Promise.all(three.map((who) => requestDeletion(who)()))
  expect(left.filter(({ status }) => status === 200).length).toBeLessThan(3)
  expect(await activeAdministrators()).toBeGreaterThan(0)
})

let immediate: TestApp

beforeAll(async () => {
  immediate = await startRacing({ ACCOUNT_DELETION_DELAY_HOURS: '0' })
})

race('with immediate erasure, at least one administrator remains', async () => {
  await immediate.db.deleteFrom('benefit_grants').execute()
  const three = await threeAdministrators(immediate)
  const [a, b] = three as [SignedInUser, SignedInUser]
  const kinds = [...three.map(requestDeletion), demote(a, b), ban(b, a), revoke(immediate, await discordIdOf(b))]
  expectNoErrors(await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? requestDeletion(a))))
  expect(await activeAdministrators(immediate)).toBeGreaterThan(0)
  // The erasure job runs every second.
  await wait(1500)
  expect(await activeAdministrators(immediate)).toBeGreaterThan(0)
})
