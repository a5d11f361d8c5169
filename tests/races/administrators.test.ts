/** The panel never loses its last administrator, whoever bans whom and whoever leaves in the same moment. */
import { beforeAll, expect } from 'vitest'
import * as account from '#contract/account.ts'
import { banUser, changeLimits, takeBenefit } from '#contract/users-admin.ts'
import type { TestApp } from '#tests/harness.ts'
import { type SignedIn, WIDTH, activityRows, fire, lastActivity, race, startRacing, strangers, succeeded, times } from './race.ts'

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
  await app.db.updateTable('users').set({ banned: false, ban_reason: null, banned_at: null, delete_at: null }).execute()
}

async function remaining(): Promise<number> {
  const rows = await app.db
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

race('of two administrators who ban each other at once one remains', async () => {
  await restore()
  const [a, b] = two
  const from = await lastActivity(app)
  await fire(times(WIDTH, (at) => (at % 2 === 0 ? ban(a, b) : ban(b, a))))
  expect(await remaining()).toBe(1)
  expect((await activityRows(app, { afterId: from })).map((row) => row.action)).toEqual(['ACCOUNT_BANNED'])
})

race('of two administrators who delete themselves at once one is refused', async () => {
  await restore()
  const [a, b] = two
  const outcomes = await fire(times(WIDTH, (at) => leave(at % 2 === 0 ? a : b)))
  expect(succeeded(outcomes)).toBe(1)
  for (const { status } of outcomes) expect([200, 403]).toContain(status)
  expect(await remaining()).toBe(1)
})

race('of bans of oneself, of the other and requests to be deleted at once one administrator remains', async () => {
  await restore()
  const [a, b] = two
  const kinds = [ban(a, b), ban(b, a), leave(a), leave(b), ban(a, a), ban(b, b)]
  const from = await lastActivity(app)
  await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? leave(a)))
  expect(await remaining()).toBe(1)
  // One of them may go and then be banned as well; the other one stays.
  expect((await activityRows(app, { afterId: from })).length).toBeLessThanOrEqual(2)
})

race('an administrator who is banned changes nothing any more', async () => {
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

race('of administrators who take ADMIN from each other and from themselves, ban and leave at once one remains', async () => {
  await restore()
  const [a, b] = two
  const kinds = [demote(a, b), demote(b, a), demote(a, a), demote(b, b), ban(a, b), leave(b)]
  const outcomes = await fire(times(WIDTH, (at) => kinds[at % kinds.length] ?? demote(a, b)))
  for (const { status, text } of outcomes) expect([200, 403], text).toContain(status)
  expect(await remaining()).toBe(1)
})
