/** Groups and benefit settings: limits hold, and settings never name deleted servers or those of other users. */
import { beforeAll, expect } from 'vitest'
import * as benefits from '#contract/benefits/benefit-settings.ts'
import type { BannerView } from '#contract/benefits/benefit-settings.ts'
import * as groups from '#contract/servers/groups.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { changeLimits, forceTier } from '#contract/users/users-admin.ts'
import { buildServer, offer, setTier, storeImage } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Call,
  type Outcome,
  type SignedInUser,
  WIDTH,
  actionsOf,
  activityRows,
  fire,
  lastActivity,
  race,
  startRacing,
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

const KEY = 'CUSTOM_BANNER'

async function createSupporter(tier = 'GOLD'): Promise<SignedInUser> {
  const user = await newUser(app)
  await setTier(app, user.id, tier)
  return user
}

const create =
  (user: SignedInUser, name: string): Call =>
  () =>
    user.call(groups.create, { body: { name } })
const save =
  (user: SignedInUser, body: unknown): Call =>
  () =>
    user.call(benefits.changeSettings, { params: { key: KEY }, body })
const banner = async (user: SignedInUser) => (await user.call(benefits.settings, { params: { key: KEY } })).data as BannerView
/** The outcomes with any other status. */
const othersThan = (outcomes: readonly Outcome[], ...statuses: number[]) => outcomes.filter(({ status }) => !statuses.includes(status))
const groupsOf = async (user: SignedInUser) => (await user.call(groups.list)).data

race('of twenty concurrent creates at a limit of two groups, exactly two succeed', async () => {
  const [owner, from] = [await createSupporter(), await lastActivity(app)]
  const outcomes = await fire(times(WIDTH, (index) => create(owner, `Group ${index}`)))
  expect(succeeded(outcomes)).toBe(2)
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 403]))
  expect(await groupsOf(owner)).toHaveLength(2)
  expect(await actionsOf(app, { afterId: from })).toEqual({ GROUP_CREATED: 2 })
})

race('of concurrent creates and renames with one name, one succeeds', async () => {
  const owner = await createSupporter()
  await admin.call(changeLimits, { params: { id: owner.id }, body: { max_masterlist_groups: WIDTH } })
  const created = await Promise.all(times(WIDTH / 2, (index) => owner.call(groups.create, { body: { name: `Before ${index}` } })))
  const renames = created.map(
    ({ data: { id } }): Call =>
      () =>
        owner.call(groups.rename, { params: { id }, body: { name: 'The ONE name' } }),
  )
  const outcomes = await fire([...renames, ...times(WIDTH / 2, () => create(owner, 'The one name'))])
  expect(succeeded(outcomes)).toBe(1)
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect((await groupsOf(owner)).filter(({ name }) => name.toLowerCase() === 'the one name')).toHaveLength(1)
})

race('a group deleted while servers join it keeps no servers', async () => {
  const owner = await createSupporter()
  const { id: groupId } = (await owner.call(groups.create, { body: { name: 'Going' } })).data
  const ids = [(await buildServer(owner)).public_id, (await buildServer(owner)).public_id, (await buildServer(owner)).public_id]
  const put = (index: number): Call => {
    const id = ids[index % ids.length] ?? ''
    return () => owner.call(servers.change, { params: { id }, body: { group_id: groupId } })
  }
  const remove: Call = () => owner.call(groups.remove, { params: { id: groupId } })
  const outcomes = await fire([...times(WIDTH - 2, put), remove, remove])
  expect(
    outcomes
      .slice(-2)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual([204, 404])
  expect(othersThan(outcomes.slice(0, -2), 200, 400)).toEqual([])
  const { owned } = (await owner.call(servers.list)).data
  expect(owned.map(({ group_id: id, group }) => ({ id, group }))).toEqual(ids.map(() => ({ id: null, group: null })))
})

/** An owner with a banner and three servers, of which one is on offer to a recipient. */
async function newSetup() {
  const [owner, recipient] = [await createSupporter(), await createSupporter()]
  const { id: image } = await storeImage(app, owner.id, 'BANNER')
  const ids = [(await buildServer(owner)).public_id, (await buildServer(owner)).public_id, (await buildServer(owner)).public_id] as const
  const { id: offerId } = await offer(owner, ids[1], recipient.id)
  return { owner, recipient, image, ids, offerId, from: await lastActivity(app) }
}

race('settings saved while servers are deleted or transferred name only servers that the owner still has', async () => {
  const { owner, recipient, image, ids, offerId } = await newSetup()
  const saves = times(WIDTH - 2, (index) => save(owner, { image_id: image, server_ids: index % 2 === 0 ? ids : [ids[1], ids[2]] }))
  const remove: Call = () => owner.call(servers.remove, { params: { id: ids[2] } })
  const accept: Call = () => recipient.call(transfers.accept, { params: { id: offerId } })
  const outcomes = await fire([...saves, remove, accept])
  expect(succeeded(outcomes.slice(-2))).toBe(2)
  for (const { status, text } of outcomes.slice(0, -2)) {
    if (status === 200) continue
    expect([status, text]).toEqual([400, expect.stringContaining('Servers: you have no server ')])
  }
  const after = await banner(owner)
  expect(after.server_ids.filter((id) => id !== ids[0])).toEqual([])
  // Only unsaved settings apply to all servers.
  expect(after.all_servers).toBe(after.updated_at === null)
  expect((await banner(recipient)).server_ids).toEqual([])
  const rows = await app.db.selectFrom('benefit_settings_servers').selectAll().where('server_id', 'in', ids).execute()
  // The deleted server stays chosen in the bin, in case it is restored. The transferred one is no longer chosen.
  expect(rows.filter((row) => row.user_id !== owner.id || row.server_id === ids[1])).toEqual([])
})

race('of concurrent saves by owner and administrator one is stored completely, and each records the previous one', async () => {
  const { owner, image, ids, from } = await newSetup()
  const bodies = [
    { image_id: image, server_ids: [], all_servers: true },
    { image_id: null, server_ids: [ids[0]], all_servers: false },
    { image_id: image, server_ids: [], all_servers: false },
    { image_id: null, server_ids: ids.toSorted(), all_servers: false },
  ]
  const byAdmin = (body: unknown) => () => admin.call(benefits.changeAdminSettings, { params: { id: owner.id, key: KEY }, body })
  const calls = times(WIDTH, (index): Call => {
    const body = bodies[index % bodies.length]
    return index % 3 === 0 ? byAdmin(body) : save(owner, body)
  })
  expect(succeeded(await fire(calls))).toBe(WIDTH)
  let now: Record<string, unknown> = { benefit: KEY, image_id: null, server_ids: [], all_servers: true }
  for (const { before, after } of await activityRows(app, { afterId: from })) {
    expect(now).toMatchObject(before ?? {})
    now = { ...now, ...after }
  }
  const { key, image_id: imageId, server_ids: serverIds, all_servers: isAll } = await banner(owner)
  expect({ benefit: key, image_id: imageId, server_ids: serverIds, all_servers: isAll }).toEqual(now)
  expect(bodies).toContainEqual({ image_id: imageId, server_ids: serverIds, all_servers: isAll })
})

race('no settings are saved after the benefit is removed', async () => {
  const { owner, image, from } = await newSetup()
  const take: Call = () => admin.call(forceTier, { params: { id: owner.id }, body: { tier_id: 'BRONZE' } })
  const saves = times(WIDTH - 1, (index) => save(owner, { image_id: index % 2 === 0 ? image : null }))
  const outcomes = await fire([...saves, take])
  expect(othersThan(outcomes, 200, 403)).toEqual([])
  const actions = (await activityRows(app, { afterId: from })).map((row) => row.action)
  expect(actions.at(-1)).toBe('TIER_CHANGED')
})
