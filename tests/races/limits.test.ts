/** Server limits: a user never exceeds the limit, by creating or by accepting. */
import { beforeAll, expect } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { changeLimits } from '#contract/users/users-admin.ts'
import { buildServer, newName, offer } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Call,
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
  newUser,
} from './race.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startRacing()
  admin = await app.signIn('admin')
})

const setLimit = (userId: string, max: number) => admin.call(changeLimits, { params: { id: userId }, body: { max_masterlist_tokens: max } })

/** Replays this user's activity: no server may arrive at the limit. Returns the final count. */
async function replay(userId: string, afterId: string, limit: number): Promise<number> {
  let [count, max] = [0, limit]
  for (const row of await activityRows(app, { afterId })) {
    const arrives =
      (row.action === 'SERVER_CREATED' && row.owner_id === userId) || (row.action === 'TRANSFER_ACCEPTED' && row.other_id === userId)
    const leaves =
      (row.action === 'SERVER_DELETED' && row.owner_id === userId) || (row.action === 'TRANSFER_ACCEPTED' && row.owner_id === userId)
    if (row.action === 'LIMITS_CHANGED' && row.owner_id === userId)
      max = (row.after as { max_masterlist_tokens: number }).max_masterlist_tokens
    if (arrives) expect(count, `${row.action} at the limit`).toBeLessThan(max)
    count += Number(arrives) - Number(leaves)
  }
  return count
}

async function countOf(user: SignedInUser): Promise<number> {
  const rows = await app.db.selectFrom('servers').select('public_id').where('owner_id', '=', user.id).execute()
  const shown = (await user.call(servers.list)).data.owned
  expect(shown.map((one) => one.public_id).toSorted()).toEqual(rows.map((one) => one.public_id).toSorted())
  return rows.length
}

const create = (user: SignedInUser): Call => {
  const name = newName()
  return () => user.call(servers.create, { body: { name } })
}
const accept =
  (user: SignedInUser, id: string): Call =>
  () =>
    user.call(transfers.accept, { params: { id } })

/** A recipient with `howMany` offers, of which three fit the limit. */
async function createOffers(howMany: number): Promise<{ sender: SignedInUser; recipient: SignedInUser; offers: string[]; from: string }> {
  const [sender, recipient] = (await newUsers(app, 2)) as [SignedInUser, SignedInUser]
  await setLimit(sender.id, howMany)
  const from = await lastActivity(app)
  const offers = []
  for (let index = 0; index < howMany; index += 1) {
    const { public_id: id } = await buildServer(sender)
    offers.push((await offer(sender, id, recipient.id)).id)
  }
  return { sender, recipient, offers, from }
}

race('of twenty concurrent creates at a limit of three, exactly three succeed', async () => {
  const [owner, from] = [await newUser(app), await lastActivity(app)]
  const outcomes = await fire(times(WIDTH, () => create(owner)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([...times(3, () => 200), ...times(WIDTH - 3, () => 403)])
  expect(await countOf(owner)).toBe(3)
  expect(await replay(owner.id, from, 3)).toBe(3)
})

race('concurrent accepts and creates fill a limit of three and do not exceed it', async () => {
  const { sender, recipient, offers, from } = await createOffers(5)
  const accepts = offers.flatMap((id) => [accept(recipient, id), accept(recipient, id)])
  const outcomes = await fire([...accepts, ...times(WIDTH - accepts.length, () => create(recipient))])
  expect(succeeded(outcomes)).toBe(3)
  expect(await countOf(recipient)).toBe(3)
  expect(await replay(recipient.id, from, 3)).toBe(3)
  const moved = succeeded(outcomes.slice(0, accepts.length))
  expect(await countOf(sender)).toBe(offers.length - moved)
  expect((await recipient.call(servers.list)).data.incoming_transfers).toHaveLength(offers.length - moved)
})

race('no server arrives at the limit while the limit is lowered and a server is deleted', async () => {
  const { recipient, offers, from } = await createOffers(4)
  const own = await buildServer(recipient)
  const lowers = [() => setLimit(recipient.id, 2), () => setLimit(recipient.id, 1)]
  const removes = [() => recipient.call(servers.remove, { params: { id: own.public_id } })]
  const accepts = offers.map((id) => accept(recipient, id))
  const rest = times(Math.max(0, WIDTH - accepts.length - 3), () => create(recipient))
  await fire([...lowers, ...removes, ...accepts, ...rest])
  expect(await replay(recipient.id, from, 3)).toBe(await countOf(recipient))
})

race('two users who transfer servers to each other at once keep one each', async () => {
  const users = (await newUsers(app, 2)) as [SignedInUser, SignedInUser]
  const [a, b] = users
  await Promise.all(users.map((one) => setLimit(one.id, 2)))
  const offers = [await offer(a, (await buildServer(a)).public_id, b.id), await offer(b, (await buildServer(b)).public_id, a.id)]
  const half = WIDTH / 2
  const outcomes = await fire([...times(half, () => accept(b, offers[0]?.id ?? '')), ...times(half, () => accept(a, offers[1]?.id ?? ''))])
  expect([succeeded(outcomes.slice(0, half)), succeeded(outcomes.slice(half))]).toEqual([1, 1])
  expect([await countOf(a), await countOf(b)]).toEqual([1, 1])
})
