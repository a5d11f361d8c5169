/** The overview of benefits: who has them, and which servers use them. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { BENEFIT_KEYS, type BenefitKey } from '#contract/benefits/benefits.ts'
import * as benefits from '#contract/benefits/benefit-settings.ts'
import * as groups from '#contract/servers/groups.ts'
import * as servers from '#contract/servers/servers.ts'
import { forceTier, grantBenefit } from '#contract/users/users-admin.ts'
import { buildServer, setTier, storeImage } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

/** A user with every benefit of a tier. */
async function createSupporter(): Promise<SignedInUser> {
  const user = await app.newUser()
  await setTier(app, user.id, 'DIAMOND_ALTRUIST')
  return user
}

const overview = async (user: SignedInUser) => (await user.call(benefits.overview)).data

/** Server names by benefit; omits unused benefits. */
async function serversByBenefit(user: SignedInUser): Promise<Partial<Record<BenefitKey, string[]>>> {
  const inUse = (await overview(user)).filter((benefit) => benefit.used_by.length > 0)
  return Object.fromEntries(inUse.map((benefit) => [benefit.key, benefit.used_by.map((server) => server.name)]))
}

async function save(user: SignedInUser, key: string, body: unknown): Promise<void> {
  const saved = await user.call(benefits.changeSettings, { params: { key }, body })
  expect(saved.status, saved.text).toBe(200)
}

test('lists all ten benefits in order, whether the user has them, and which tier unlocks them', async () => {
  const [withoutBenefits, gold] = [await app.newUser(), await app.newUser()]
  await setTier(app, gold.id, 'GOLD')
  for (const key of ['PROMOTED', 'CUSTOM_BANNER']) await admin.call(grantBenefit, { params: { id: gold.id, key } })
  const [without, withTier] = [await overview(withoutBenefits), await overview(gold)]
  expect(without.map((benefit) => benefit.key)).toEqual([...BENEFIT_KEYS])
  expect(without.every((benefit) => !benefit.held && benefit.source === null && benefit.used_by.length === 0)).toBe(true)
  expect(without.find((benefit) => benefit.key === 'CUSTOM_BANNER')).toEqual({
    key: 'CUSTOM_BANNER',
    name: 'Custom Banner',
    description: 'A wide image at the top of the connect window.',
    held: false,
    source: null,
    granted: false,
    has_settings: true,
    tier: 'GOLD',
    used_by: [],
  })
  expect(without.find((benefit) => benefit.key === 'ADMIN')).toMatchObject({ tier: null, has_settings: false })
  expect(withTier.filter((benefit) => benefit.held).map((benefit) => [benefit.key, benefit.source])).toEqual([
    ['PROMOTED', 'grant'],
    ['CLIENT_CLOUD_AUTH', 'tier'],
    ['CUSTOM_BANNER', 'tier'],
    ['CUSTOM_VANITY_URL', 'tier'],
    ['MASTERLIST_GROUPS', 'tier'],
    ['MASTERLIST_TOKEN_CARD_ICONS', 'tier'],
  ])
  // A granted benefit stays when the tier that also includes it ends.
  expect(withTier.filter((benefit) => benefit.granted).map((benefit) => benefit.key)).toEqual(['PROMOTED', 'CUSTOM_BANNER'])
})

test('names the servers that have the field of a benefit set', async () => {
  const owner = await createSupporter()
  const [one, two] = [await buildServer(owner, { name: 'Using one' }), await buildServer(owner, { name: 'Using two' })]
  const group = (await owner.call(groups.create, { body: { name: 'A group' } })).data
  const icon = await storeImage(app, owner.id, 'SERVER_ICON')
  const change = async (publicId: string, body: Parameters<typeof servers.change.body.parse>[0]) => {
    const changed = await owner.call(servers.change, { params: { id: publicId }, body: body as object })
    expect(changed.status, changed.text).toBe(200)
  }
  await change(one.public_id, { vanity_url: 'using-one', promoted: true, group_id: group.id })
  await change(two.public_id, { icon_image_id: icon.id, group_id: group.id })
  const expected = {
    PROMOTED: ['Using one'],
    CUSTOM_VANITY_URL: ['Using one'],
    MASTERLIST_GROUPS: ['Using one', 'Using two'],
    MASTERLIST_TOKEN_CARD_ICONS: ['Using two'],
  }
  expect(await serversByBenefit(owner)).toEqual(expected)
  // Servers stay listed because a restored benefit applies to them again.
  await setTier(app, owner.id, null)
  expect(await serversByBenefit(owner)).toEqual(expected)
  expect((await overview(owner)).some((benefit) => benefit.held)).toBe(false)
})

test('names the servers that settings apply to, once any setting is set', async () => {
  const owner = await createSupporter()
  const [first] = [await buildServer(owner, { name: 'Showing first' }), await buildServer(owner, { name: 'Showing second' })]
  await save(owner, 'CUSTOM_BANNER', { image_id: null, all_servers: false })
  await save(owner, 'CUSTOM_LAUNCHER', { server_ids: [first.public_id] })
  expect(await serversByBenefit(owner)).toEqual({})
  await save(owner, 'CUSTOM_BANNER', { image_id: (await storeImage(app, owner.id, 'BANNER')).id })
  const background = await storeImage(app, owner.id, 'JOIN_BACKGROUND')
  await save(owner, 'CUSTOM_JOIN_BACKGROUND', { image_id: background.id, all_servers: false })
  await save(owner, 'CUSTOM_LAUNCHER', { name: 'Ours', server_ids: [first.public_id] })
  expect(await serversByBenefit(owner)).toEqual({ CUSTOM_BANNER: ['Showing first', 'Showing second'], CUSTOM_LAUNCHER: ['Showing first'] })
  await save(owner, 'CUSTOM_LAUNCHER', { ui_url: 'https://ui.example.com', server_ids: [first.public_id] })
  expect(await serversByBenefit(owner)).toMatchObject({ CUSTOM_LAUNCHER: ['Showing first'], CUSTOM_UI_URL: ['Showing first'] })
})

test('shows an administrator the same benefits as the user, others nothing, and 404 for an unknown user', async () => {
  const owner = await app.newUser()
  await admin.call(forceTier, { params: { id: owner.id }, body: { tier_id: 'PLATINUM' } })
  const seen = await admin.call(benefits.adminOverview, { params: { id: owner.id } })
  expect(seen.data).toEqual(await overview(owner))
  expect(seen.data.find((benefit) => benefit.key === 'CUSTOM_JOIN_BACKGROUND')).toMatchObject({
    held: true,
    source: 'tier',
    tier: 'PLATINUM',
  })
  expect((await owner.call(benefits.adminOverview, { params: { id: owner.id } })).status).toBe(403)
  for (const id of [randomUUID(), 'x', '%00']) {
    const rejected = await admin.call(benefits.adminOverview, { params: { id } })
    expect([rejected.status, rejected.error.errors]).toEqual([404, ['There is no such user.']])
  }
})
