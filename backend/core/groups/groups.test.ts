/** Server groups: creating, renaming, deleting, limits, and notifications. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import { audit } from '#contract/events/audit.ts'
import * as groups from '#contract/servers/groups.ts'
import type { Group } from '#contract/servers/groups.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { changeLimits } from '#contract/users/users-admin.ts'
import { buildServer, grant, offer, setTier } from '#tests/factories.ts'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

/** A user who may have two groups. */
async function createSupporter(): Promise<SignedInUser> {
  const user = await app.newUser()
  await setTier(app, user.id, 'GOLD')
  return user
}

const create = (user: SignedInUser, name: string) => user.call(groups.create, { body: { name } })
const rename = (user: SignedInUser, id: string, name: string) => user.call(groups.rename, { params: { id }, body: { name } })
const remove = (user: SignedInUser, id: string) => user.call(groups.remove, { params: { id } })
const namesOf = async (user: SignedInUser) => (await user.call(groups.list)).data.map((group) => group.name)

async function buildGroup(user: SignedInUser, name: string): Promise<Group> {
  const created = await create(user, name)
  expect(created.status, created.text).toBe(200)
  return created.data
}

async function moveToGroup(user: SignedInUser, publicId: string, groupId: string | null): Promise<void> {
  const moved = await user.call(servers.change, { params: { id: publicId }, body: { group_id: groupId } })
  expect(moved.status, moved.text).toBe(200)
}

const groupIn = async (user: SignedInUser, publicId: string) => (await user.call(servers.get, { params: { id: publicId } })).data.group
const rejection = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })
const changed = (what: string) => (event: StreamEvent) => event.event === 'account' && (event.data['changed'] as string[]).includes(what)

test('a group can be created, listed with its servers, renamed and deleted', async () => {
  const owner = await createSupporter()
  const [town, country] = [await buildGroup(owner, 'Town'), await buildGroup(owner, '  Country  ')]
  expect(country).toMatchObject({ name: 'Country', servers: [] })
  const server = await buildServer(owner)
  await moveToGroup(owner, server.public_id, town.id)
  expect((await owner.call(groups.list)).data).toEqual([
    { ...town, servers: [{ public_id: server.public_id, name: server.name }] },
    country,
  ])
  const renamed = await rename(owner, town.id, 'City')
  expect(renamed.data).toEqual({
    ...town,
    name: 'City',
    version: town.version + 1,
    servers: [{ public_id: server.public_id, name: server.name }],
  })
  expect(await groupIn(owner, server.public_id)).toEqual({ id: town.id, name: 'City' })
  expect((await remove(owner, town.id)).status).toBe(204)
  expect((await owner.call(groups.list)).data).toEqual([country])
})

test('deleting a group keeps its servers without a group', async () => {
  const owner = await createSupporter()
  const group = await buildGroup(owner, 'Short lived')
  const [grouped, other] = [await buildServer(owner), await buildServer(owner)]
  await moveToGroup(owner, grouped.public_id, group.id)
  await remove(owner, group.id)
  const { owned } = (await owner.call(servers.list)).data
  expect(owned.map(({ public_id: id, group_id: groupId, group: shown }) => ({ id, groupId, shown }))).toEqual(
    [grouped, other].map(({ public_id: id }) => ({ id, groupId: null, shown: null })),
  )
})

test('the activity and the audit log name the groups of a change until they are deleted', async () => {
  const owner = await createSupporter()
  const [town, country] = [await buildGroup(owner, 'Town'), await buildGroup(owner, 'Country')]
  const server = await buildServer(owner)
  await moveToGroup(owner, server.public_id, town.id)
  await moveToGroup(owner, server.public_id, country.id)
  await rename(owner, town.id, 'City')
  const admin = await app.signIn('admin')
  const latest = async () => [
    (await owner.call(activity.ofServer, { params: { id: server.public_id } })).data[0],
    (await admin.call(audit, { query: { target_id: server.public_id } })).data.data[0],
  ]
  for (const entry of await latest()) {
    expect(entry).toMatchObject({ before: { group_id: town.id }, after: { group_id: country.id } })
    expect(entry?.group_names).toEqual({ [town.id]: 'City', [country.id]: 'Country' })
  }
  await remove(owner, town.id)
  for (const entry of await latest()) expect(entry?.group_names).toEqual({ [country.id]: 'Country' })
})

describe('creating a group', () => {
  test('needs the benefit', async () => {
    const rejected = await create(await app.newUser(), 'A group')
    expect(rejection(rejected)).toEqual({ status: 403, errors: ['This needs the benefit Server Groups, which you do not have.'] })
  })

  test("is rejected at the limit: the tier's, or the one that an administrator set", async () => {
    const owner = await createSupporter()
    await buildGroup(owner, 'First')
    const { id } = await buildGroup(owner, 'Second')
    expect(rejection(await create(owner, 'Third'))).toEqual({ status: 403, errors: ['You have reached your limit of 2 groups.'] })
    await remove(owner, id)
    await buildGroup(owner, 'Third')
    const admin = await app.signIn('admin')
    await admin.call(changeLimits, { params: { id: owner.id }, body: { max_masterlist_groups: 3 } })
    await buildGroup(owner, 'Fourth')
    expect(rejection(await create(owner, 'Fifth'))).toEqual({ status: 403, errors: ['You have reached your limit of 3 groups.'] })
  })

  test('needs a name that no other group of the same owner has, case-insensitive', async () => {
    const [owner, other] = [await createSupporter(), await createSupporter()]
    await buildGroup(owner, 'Same name')
    await buildGroup(other, 'Same name')
    const rejected = await create(owner, 'SAME Name')
    expect(rejected.status).toBe(409)
    expect(rejected.error).toEqual({
      statusCode: 409,
      errors: ['Another group of yours has this name. Choose a different name.'],
      fields: { name: 'Another group of yours has this name. Choose a different name.' },
      isBusiness: true,
      businessStatus: 'NAME_ALREADY_EXISTS',
    })
    expect(await namesOf(owner)).toEqual(['Same name'])
  })

  test.each([
    [{}, 'Name is required.'],
    [{ name: 5 }, 'Name must be text.'],
    [{ name: 'ab' }, 'Name must be 3 to 48 characters long.'],
    [{ name: 'x'.repeat(49) }, 'Name must be 3 to 48 characters long.'],
    [{ name: 'A\u{E0100}group' }, "Name can't contain U+E0100: it is an invisible, control or undefined character."],
    [{ name: 'A\u202Egroup' }, "Name can't contain U+202E: it is an invisible, control or undefined character."],
    [{ name: 'A group', server_ids: [] }, 'Unknown field “server_ids”. Leave it out.'],
  ])('rejects %j', async (body, sentence) => {
    const rejected = await (await createSupporter()).call(groups.create, { body: body as { name: string } })
    expect(rejection(rejected)).toEqual({ status: 400, errors: [sentence] })
  })
})

describe('renaming a group', () => {
  test('rejects the name of another group, and accepts its own in another case', async () => {
    const owner = await createSupporter()
    const [town] = [await buildGroup(owner, 'Town'), await buildGroup(owner, 'Country')]
    expect(await rename(owner, town.id, 'country')).toMatchObject({ status: 409, error: { businessStatus: 'NAME_ALREADY_EXISTS' } })
    expect((await rename(owner, town.id, 'TOWN')).data.name).toBe('TOWN')
  })

  test('and deleting need no benefit, so the owner can still do both after its loss', async () => {
    const owner = await createSupporter()
    const [town, country] = [await buildGroup(owner, 'Town'), await buildGroup(owner, 'Country')]
    await setTier(app, owner.id, null)
    expect((await rename(owner, town.id, 'City')).status).toBe(200)
    expect((await remove(owner, country.id)).status).toBe(204)
    expect((await create(owner, 'Country')).status).toBe(403)
    expect(await namesOf(owner)).toEqual(['City'])
  })
})

test("another owner's group counts as unknown when it is renamed, deleted or chosen for a server", async () => {
  const [owner, other] = [await createSupporter(), await createSupporter()]
  const group = await buildGroup(owner, 'Mine alone')
  const server = await buildServer(other)
  for (const id of [group.id, randomUUID(), 'x', '%00', group.id.toUpperCase()]) {
    expect(rejection(await rename(other, id, 'Taken over'))).toEqual({ status: 404, errors: ['There is no such group.'] })
    expect(rejection(await remove(other, id))).toEqual({ status: 404, errors: ['There is no such group.'] })
  }
  const put = await other.call(servers.change, { params: { id: server.public_id }, body: { group_id: group.id } })
  expect(rejection(put)).toEqual({ status: 400, errors: ['Group: there is no such group. Choose another one.'] })
  expect((await other.call(groups.list)).data).toEqual([])
  expect(await namesOf(owner)).toEqual(['Mine alone'])
})

test('a transferred server leaves its group, which stays', async () => {
  const [owner, recipient] = [await createSupporter(), await createSupporter()]
  const group = await buildGroup(owner, 'Staying')
  const server = await buildServer(owner)
  await moveToGroup(owner, server.public_id, group.id)
  const { id } = await offer(owner, server.public_id, recipient.id)
  expect((await recipient.call(transfers.accept, { params: { id } })).status).toBeLessThan(300)
  expect(await groupIn(recipient, server.public_id)).toBeNull()
  expect((await owner.call(groups.list)).data).toEqual([group])
})

test('records changes of groups, but no rename to the same name', async () => {
  const owner = await createSupporter()
  const { id } = await buildGroup(owner, 'Town')
  await rename(owner, id, 'Town')
  await rename(owner, id, 'City')
  await remove(owner, id)
  const entries = (await owner.call(activity.ofAccount)).data.slice(0, 3)
  expect(entries.map(({ action, as, before, after }) => ({ action, as, before, after }))).toEqual([
    { action: 'GROUP_DELETED', as: 'self', before: { name: 'City' }, after: null },
    { action: 'GROUP_RENAMED', as: 'self', before: { name: 'Town' }, after: { name: 'City' } },
    { action: 'GROUP_CREATED', as: 'self', before: null, after: { name: 'Town' } },
  ])
})

test('notifies open panels about groups', async () => {
  const owner = await createSupporter()
  const stream = await listen(owner)
  const { id } = await buildGroup(owner, 'Town')
  await stream.until(changed('benefits'))
  stream.received.length = 0
  await rename(owner, id, 'City')
  await Promise.all([stream.until(changed('benefits')), stream.until(changed('servers'))])
  stream.received.length = 0
  await remove(owner, id)
  const received = await Promise.all([stream.until(changed('benefits')), stream.until(changed('servers'))])
  expect(received[0].data).toEqual({ changed: ['servers', 'activity', 'benefits'] })
  stream.close()
})

test("notifies managers about the owner's groups until they are revoked", async () => {
  const [owner, manager] = [await createSupporter(), await app.newUser()]
  await grant(owner, manager.id, ['EDIT_APPEARANCE'])
  const [ownerStream, managerStream] = [await listen(owner), await listen(manager)]
  const { id } = await buildGroup(owner, 'Town')
  expect((await managerStream.until(changed('benefits'))).data).toEqual({ changed: ['benefits'] })
  await owner.call(managers.revoke, { body: { user_id: manager.id } })
  await managerStream.until(changed('me'))
  managerStream.received.length = 0
  await rename(owner, id, 'City')
  await remove(owner, id)
  // Later notifications arrive after this one.
  await grant(owner, manager.id, ['EDIT_APPEARANCE'])
  await managerStream.until(changed('me'))
  expect(managerStream.received.filter(changed('benefits'))).toEqual([])
  ownerStream.close()
  managerStream.close()
})
