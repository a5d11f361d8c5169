/** Grants and limits: an owner never has more managers than allowed, and each manager only once. */
import { beforeAll, expect } from 'vitest'
import { PERMISSION_KEYS, type Permission } from '#contract/servers/permissions.ts'
import * as managers from '#contract/servers/managers.ts'
import { changeLimits } from '#contract/users/users-admin.ts'
import { me } from '#contract/users/users.ts'
import { grant } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import {
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
let users: SignedInUser[]

beforeAll(async () => {
  app = await startRacing()
  admin = await app.signIn('admin')
  users = await newUsers(app, WIDTH)
})

const setLimit = (userId: string, max: number) => admin.call(changeLimits, { params: { id: userId }, body: { max_managers: max } })
const grantTo = (owner: SignedInUser, to: SignedInUser | undefined, permissions: Permission[] = ['EDIT_DETAILS']) =>
  owner.call(managers.grant, { body: { user_id: to?.id ?? '', permissions } })
const revoke = (owner: SignedInUser, from: SignedInUser | undefined) => owner.call(managers.revoke, { body: { user_id: from?.id ?? '' } })

/** The owner's managers by the table, the owner and every manager; all three must agree. */
async function managersOf(owner: SignedInUser): Promise<{ id: string; permissions: string[] }[]> {
  const rows = await app.db.selectFrom('manager_grants').selectAll().where('owner_id', '=', owner.id).orderBy('manager_id').execute()
  const table = rows.map((row) => ({ id: row.manager_id, permissions: row.permissions }))
  const own = (await owner.call(me)).data.gived_managements
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  expect(own.map((one) => ({ id: one.manager_id, permissions: [...one.permissions] })).toSorted(byId)).toEqual(table)
  const received = await Promise.all(users.map(async (one) => ({ id: one.id, all: (await one.call(me)).data.recieved_managements })))
  const theirs = received.flatMap(({ id, all }) =>
    all.filter((one) => one.owner_id === owner.id).map((one) => ({ id, permissions: [...one.permissions] })),
  )
  expect(theirs.toSorted(byId)).toEqual(table)
  return table
}

/** Replays the owner's activity row by row: it must be consistent, and end in the table's state. */
async function replay(owner: SignedInUser, afterId: string, limit: number): Promise<void> {
  const current = new Map<string, string[]>()
  let max = limit
  const rows = (await activityRows(app, { afterId })).filter((row) => row.owner_id === owner.id)
  for (const { action, other_id: other, before, after } of rows) {
    const id = other ?? ''
    if (action === 'LIMITS_CHANGED') max = (after as { max_managers: number }).max_managers
    if (action === 'MANAGER_GRANTED') {
      expect(current.size, 'granted at the limit').toBeLessThan(max)
      expect(current.has(id), 'granted twice').toBe(false)
      current.set(id, (after as { permissions: string[] }).permissions)
    }
    if (action === 'MANAGER_CHANGED') {
      expect(current.get(id)).toEqual((before as { permissions: string[] }).permissions)
      current.set(id, (after as { permissions: string[] }).permissions)
    }
    if (action === 'MANAGER_REVOKED' || action === 'MANAGER_REFUSED') expect(current.delete(id), 'ended twice').toBe(true)
  }
  const replayed = [...current].map(([id, permissions]) => ({ id, permissions })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  expect(await managersOf(owner)).toEqual(replayed)
}

race('of twenty concurrent grants to different users at a limit of two, exactly two succeed', async () => {
  const [owner, from] = [await newUser(app), await lastActivity(app)]
  const outcomes = await fire(users.map((one) => () => grantTo(owner, one)))
  expect(succeeded(outcomes)).toBe(2)
  expect(outcomes.filter(({ status }) => status === 403)).toHaveLength(WIDTH - 2)
  expect(await managersOf(owner)).toHaveLength(2)
  await replay(owner, from, 2)
})

race('no grant exceeds the limit in force, even while an administrator lowers it', async () => {
  const owner = await newUser(app)
  await setLimit(owner.id, 8)
  const from = await lastActivity(app)
  const outcomes = await fire([...users.slice(1).map((one) => () => grantTo(owner, one)), () => setLimit(owner.id, 3)])
  expect(outcomes.at(-1)?.status).toBe(200)
  const granted = succeeded(outcomes.slice(0, -1))
  expect(granted).toBeGreaterThanOrEqual(3)
  expect(granted).toBeLessThanOrEqual(8)
  expect(await managersOf(owner)).toHaveLength(granted)
  await replay(owner, from, 8)
})

race('twenty concurrent grants to one user create one grant', async () => {
  const [owner, from, [manager]] = [await newUser(app), await lastActivity(app), users]
  const subset = (index: number) => PERMISSION_KEYS.filter((_, bit) => (((index % 15) + 1) & (1 << bit)) !== 0)
  const outcomes = await fire(times(WIDTH, (index) => () => grantTo(owner, manager, subset(index))))
  expect(succeeded(outcomes)).toBe(WIDTH)
  expect(new Set(outcomes.map(({ data }) => (data as { id: string }).id)).size).toBe(1)
  expect(await managersOf(owner)).toHaveLength(1)
  await replay(owner, from, 2)
})

race('concurrent grants, revokes and resignations leave both sides with the same list, and each is recorded once', async () => {
  const owner = await newUser(app)
  await setLimit(owner.id, 4)
  const from = await lastActivity(app)
  const [a, b, c] = users as [SignedInUser, SignedInUser, SignedInUser]
  const grants = [await grant(owner, a.id, ['EDIT_DETAILS']), await grant(owner, b.id, ['RESET_ADDRESS'])]
  const resign = (who: SignedInUser, id = '') => who.call(managers.resign, { params: { id } })
  const kinds = [
    () => revoke(owner, a),
    () => resign(a, grants[0]?.id),
    () => resign(b, grants[1]?.id),
    () => grantTo(owner, a, ['EDIT_APPEARANCE']),
    () => revoke(owner, b),
    () => grantTo(owner, c),
  ]
  await fire(times(WIDTH, (index) => kinds[index % kinds.length] ?? (() => revoke(owner, c))))
  await replay(owner, from, 4)
})
