/** The panel never loses its last administrator, whatever bans and deletions happen at once. */
import { beforeAll, expect } from 'vitest'
import * as account from '#contract/account.ts'
import * as users from '#contract/users.ts'
import { banUser, changeLimits, takeBenefit } from '#contract/users-admin.ts'
import { AppError } from '#backend/platform/errors.ts'
import { setAdministrator } from '#backend/features/users/administration.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Call,
  type Outcome,
  type SignedIn,
  WIDTH,
  activityRows,
  fire,
  lastActivity,
  race,
  startRacing,
  strangers,
  succeeded,
  times,
  wait,
} from './race.ts'

let app: TestApp
let two: [SignedIn, SignedIn]

beforeAll(async () => {
  app = await startRacing()
  two = (await strangers(app, 2)) as [SignedIn, SignedIn]
  for (const { id } of two) await app.db.insertInto('benefit_grants').values({ user_id: id, key: 'ADMIN' }).execute()
})

/** Both may administrate again. */
async function restore(): Promise<void> {
  const grants = two.map(({ id }) => ({ user_id: id, key: 'ADMIN' }))
  await app.db
    .insertInto('benefit_grants')
    .values(grants)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await app.db.updateTable('users').set({ banned: false, ban_reason: null, banned_at: null, banned_until: null, delete_at: null }).execute()
}

async function remaining(of: TestApp = app): Promise<number> {
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

const ban = (who: SignedIn, whom: SignedIn) => () => who.call(banUser, { params: { id: whom.id } })
const demote = (who: SignedIn, whom: SignedIn) => () => who.call(takeBenefit, { params: { id: whom.id, key: 'ADMIN' } })
const leave = (who: SignedIn) => () => who.call(account.requestDeletion)

race('two administrators who ban each other at once leave one', async () => {
  await restore()
  const [a, b] = two
  const from = await lastActivity(app)
  await fire(times(WIDTH, (at) => (at % 2 === 0 ? ban(a, b) : ban(b, a))))
  expect(await remaining()).toBe(1)
  expect((await activityRows(app, { afterId: from })).map((row) => row.action)).toEqual(['ACCOUNT_BANNED'])
})

race('of two administrators who delete their accounts at once, one is rejected', async () => {
  await restore()
  const [a, b] = two
  const outcomes = await fire(times(WIDTH, (at) => leave(at % 2 === 0 ? a : b)))
  expect(succeeded(outcomes)).toBe(1)
  for (const { status } of outcomes) expect([200, 403]).toContain(status)
  expect(await remaining()).toBe(1)
})

race('simultaneous bans of self, bans of the other and deletions leave one administrator', async () => {
  await restore()
  const [a, b] = two
  const kinds = [ban(a, b), ban(b, a), leave(a), leave(b), ban(a, a), ban(b, b)]
  const from = await lastActivity(app)
  await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? leave(a)))
  expect(await remaining()).toBe(1)
  // One of them may go and then be banned as well; the other one stays.
  expect((await activityRows(app, { afterId: from })).length).toBeLessThanOrEqual(2)
})

race('a banned administrator changes nothing more', async () => {
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
  const kinds = [demote(a, b), demote(b, a), demote(a, a), demote(b, b), ban(a, b), leave(b)]
  const outcomes = await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? demote(a, b)))
  for (const { status, text } of outcomes) expect([200, 403], text).toContain(status)
  expect(await remaining()).toBe(1)
})

/** `muster admin revoke`, which does not ask the program that runs. */
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

const discordIdOf = async (who: SignedIn) => (await who.call(users.me)).data.discord.discord_id

race('the command line never removes the last ADMIN, even during bans, deletions and removals', async () => {
  await restore()
  const [a, b] = two
  const [ofA, ofB] = [await discordIdOf(a), await discordIdOf(b)]
  const kinds = [revoke(app, ofA), revoke(app, ofB), leave(a), ban(a, b), demote(b, a), revoke(app, ofB)]
  const outcomes = await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? leave(a)))
  for (const { status, text } of outcomes) expect([200, 403], text).toContain(status)
  expect(await remaining()).toBe(1)
  const sentences = []
  for (const discordId of [ofA, ofB]) sentences.push((await revoke(app, discordId)()).text)
  // Removing ADMIN from a user without it is not a rejection.
  expect(sentences.filter((text) => text.endsWith('is the last administrator. Make another user an administrator first.'))).toHaveLength(1)
  expect(await remaining()).toBe(1)
})

/** Bans the other for a moment. */
const banBriefly = (who: SignedIn, whom: SignedIn) => () =>
  who.call(banUser, { params: { id: whom.id }, body: { banned_until: new Date(Date.now() + 1000).toISOString() } })
const pardon = (who: SignedIn, whom: SignedIn) => () => who.call(banUser, { params: { id: whom.id }, body: { banned: false } })
const stay = (who: SignedIn) => () => who.call(account.cancelDeletion)

/** Every way to lose an administrator, for each of three: their own action and each other's. */
async function allWays(of: TestApp, three: readonly SignedIn[]): Promise<Call[]> {
  const ids = await Promise.all(three.map(discordIdOf))
  const alone = three.flatMap((who, at) => [
    leave(who),
    stay(who),
    ban(who, who),
    banBriefly(who, who),
    demote(who, who),
    revoke(of, ids[at] ?? ''),
  ])
  const each = three.flatMap((who) =>
    three
      .filter((other) => other !== who)
      .flatMap((other) => [ban(who, other), banBriefly(who, other), demote(who, other), pardon(who, other)]),
  )
  return [...alone, ...each]
}

async function threeAdministrators(of: TestApp): Promise<SignedIn[]> {
  const three = await strangers(of, 3)
  await of.db
    .insertInto('benefit_grants')
    .values(three.map(({ id }) => ({ user_id: id, key: 'ADMIN' })))
    .execute()
  return three
}

const expectAnswered = (outcomes: readonly Outcome[]) => {
  for (const { status, text } of outcomes) expect([200, 204, 403, 404], text).toContain(status)
}

race('three administrators who leave in every possible way keep at least one', async () => {
  await app.db.deleteFrom('benefit_grants').execute()
  const three = await threeAdministrators(app)
  expectAnswered(await fire(await allWays(app, three)))
  expect(await remaining()).toBeGreaterThan(0)
  // Who was banned for a moment is back in the midst of the second try.
  await wait(900)
  expectAnswered(await fire(await allWays(app, three)))
  expect(await remaining()).toBeGreaterThan(0)
  const left = await Promise.all(three.map((who) => leave(who)()))
  expect(left.filter(({ status }) => status === 200).length).toBeLessThan(3)
  expect(await remaining()).toBeGreaterThan(0)
})

let swift: TestApp

beforeAll(async () => {
  swift = await startRacing({ ACCOUNT_DELETION_DELAY_HOURS: '0' })
})

race('where accounts are erased at once, the last administrator’s is not', async () => {
  await swift.db.deleteFrom('benefit_grants').execute()
  const three = await threeAdministrators(swift)
  const [a, b] = three as [SignedIn, SignedIn]
  const kinds = [...three.map(leave), demote(a, b), ban(b, a), revoke(swift, await discordIdOf(b))]
  expectAnswered(await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? leave(a))))
  expect(await remaining(swift)).toBeGreaterThan(0)
  // The erasure looks each second.
  await wait(1500)
  expect(await remaining(swift)).toBeGreaterThan(0)
})
