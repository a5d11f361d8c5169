/** The rights of users who are banned, scheduled for deletion, or not administrators. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as audit from '#contract/events/audit.ts'
import { logOut } from '#contract/users/auth.ts'
import * as protection from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import * as serversAdmin from '#contract/servers/servers-admin.ts'
import { me } from '#contract/users/users.ts'
import { adminUser, adminUsers, banUser, changeLimits, forceTier, grantBenefit, takeBenefit } from '#contract/users/users-admin.ts'
import { announce, buildServer, grant, offer } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { type TestUser, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

const BANNED = [403, ['Your account is banned.']]
const LEAVING = [403, ['Your account is set for deletion. Cancel the deletion first.']]
const RESTRICTED = [403, ['Restricted access. You must have the ADMIN benefit to access this page.']]
const NOT_SIGNED_IN = [403, ['You are not signed in.']]

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

type ForbiddenCall = readonly [string, (who: TestUser) => Promise<{ status: number; error: { errors: readonly string[] } }>]

/** Each kind of action: reading, writing, other users' data, and administration. */
const actionsOf = (user: SignedInUser, publicId: string): readonly ForbiddenCall[] => [
  ['list servers', (who) => who.call(servers.list)],
  ['read a server', (who) => who.call(servers.get, { params: { id: publicId } })],
  ['create a server', (who) => who.call(servers.create, { body: { name: 'Rejected' } })],
  ['change a server', (who) => who.call(servers.change, { params: { id: publicId }, body: { description: 'x' } })],
  ['delete a server', (who) => who.call(servers.remove, { params: { id: publicId } })],
  ['read own issues', (who) => who.call(protection.issuesOfUser, { params: { userId: user.id } })],
  ['export data', (who) => who.call(account.exportData)],
  ['request deletion', (who) => who.call(account.requestDeletion)],
  ...administration(user, publicId),
]

const administration = (user: SignedInUser, publicId: string): readonly ForbiddenCall[] => [
  ['list users', (who) => who.call(adminUsers)],
  ['read a user', (who) => who.call(adminUser, { params: { id: user.id } })],
  ['ban a user', (who) => who.call(banUser, { params: { id: user.id }, body: { banned: false } })],
  ['set limits', (who) => who.call(changeLimits, { params: { id: user.id }, body: { max_managers: 1000 } })],
  ['force a tier', (who) => who.call(forceTier, { params: { id: user.id }, body: { tier_id: 'GOLD' } })],
  ['grant a benefit', (who) => who.call(grantBenefit, { params: { id: user.id, key: 'ADMIN' } })],
  ['remove a benefit', (who) => who.call(takeBenefit, { params: { id: admin.id, key: 'ADMIN' } })],
  ['list all servers', (who) => who.call(serversAdmin.adminServers)],
  ['read any server', (who) => who.call(serversAdmin.adminServer, { params: { id: publicId } })],
  ['ban a server', (who) => who.call(serversAdmin.banServer, { params: { id: publicId }, body: { banned: false } })],
  ['delete any server', (who) => who.call(serversAdmin.removeAdminServer, { params: { id: publicId } })],
  ['read the audit log', (who) => who.call(audit.audit)],
  ['read the queue', (who) => who.call(protection.issues)],
]

async function expectRejected(who: TestUser, all: readonly ForbiddenCall[], rejection: readonly unknown[]): Promise<void> {
  for (const [what, call] of all) {
    const { status, error } = await call(who)
    expect([status, error.errors], what).toEqual(rejection)
  }
}

const setBan = (who: SignedInUser, body: object = {}) => admin.call(banUser, { params: { id: who.id }, body })

describe('a banned user', () => {
  test('can read the ban and its reason and log out, but do nothing else', async () => {
    const user = await app.newUser()
    const { public_id: publicId } = await buildServer(user)
    await setBan(user)
    const without = (await user.call(me)).data
    expect(without.banned).toBe(true)
    expect(without).not.toHaveProperty('ban_reason')
    await setBan(user, { banReason: 'Selling players' })
    expect((await user.call(me)).data).toMatchObject({ banned: true, ban_reason: 'Selling players', delete_at: null })
    await expectRejected(user, actionsOf(user, publicId), BANNED)
    expect((await user.call(account.cancelDeletion)).error.errors).toEqual(BANNED[1])
    expect((await user.call(logOut)).status).toBe(204)
    const after = await user.call(me)
    expect([after.status, after.error.errors]).toEqual(NOT_SIGNED_IN)
  })

  test('cannot cancel a scheduled deletion until the ban ends', async () => {
    const user = await app.newUser()
    const date = (await user.call(account.requestDeletion)).data
    await setBan(user)
    expect((await user.call(me)).data).toMatchObject({ banned: true, delete_at: date })
    const rejected = await user.call(account.cancelDeletion)
    expect([rejected.status, rejected.error.errors]).toEqual(BANNED)
    await setBan(user, { banned: false })
    expect((await user.call(me)).data).toMatchObject({ banned: false, delete_at: date })
    expect((await user.call(account.cancelDeletion)).status).toBe(204)
    expect((await user.call(me)).data.delete_at).toBeNull()
  })

  test('has no administrator rights during the ban, and has them again when it ends', async () => {
    const user = await app.newUser()
    const { public_id: publicId } = await buildServer(user)
    await admin.call(grantBenefit, { params: { id: user.id, key: 'ADMIN' } })
    await setBan(user)
    await expectRejected(user, administration(user, publicId), BANNED)
    await setBan(user, { banned: false })
    expect((await user.call(adminUsers)).status).toBe(200)
  })

  test('has no servers on the list, and their announces are rejected until the ban ends', async () => {
    const user = await app.newUser()
    const server = await buildServer(user)
    const isListed = async () => {
      const list = (await (await fetch(`${app.listUrl}/servers`)).json()) as { publicId: string }[]
      return list.some(({ publicId }) => publicId === server.public_id)
    }
    expect((await announce(app, server.credential)).status).toBe(200)
    await expect.poll(isListed).toBe(true)
    await setBan(user)
    await expect.poll(isListed).toBe(false)
    const rejected = await announce(app, server.credential)
    expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([403, 'OWNER_BANNED'])
    await setBan(user, { banned: false })
    expect((await announce(app, server.credential)).status).toBe(200)
    await expect.poll(isListed).toBe(true)
  })
})

describe('a user scheduled for deletion', () => {
  test('can read the deadline, cancel and log out, but do nothing else', async () => {
    const user = await app.newUser()
    const { public_id: publicId } = await buildServer(user)
    const date = (await user.call(account.requestDeletion)).data
    expect(Date.parse(date) - Date.now()).toBeGreaterThan(86_300_000)
    expect((await user.call(me)).data).toMatchObject({ banned: false, delete_at: date })
    await expectRejected(user, actionsOf(user, publicId), LEAVING)
    expect((await user.call(account.cancelDeletion)).status).toBe(204)
    expect((await user.call(me)).data.delete_at).toBeNull()
    expect((await user.call(servers.get, { params: { id: publicId } })).status).toBe(200)
    await user.call(account.requestDeletion)
    expect((await user.call(logOut)).status).toBe(204)
    expect((await user.call(me)).status).toBe(403)
  })

  test('has no administrator rights', async () => {
    const user = await app.newUser()
    const { public_id: publicId } = await buildServer(user)
    await admin.call(grantBenefit, { params: { id: user.id, key: 'ADMIN' } })
    expect((await user.call(account.requestDeletion)).status).toBe(200)
    await expectRejected(user, administration(user, publicId), LEAVING)
  })
})

describe('a user who is not an administrator', () => {
  test('is rejected by every administration call, also about their own account and servers', async () => {
    const user = await app.newUser()
    const { public_id: publicId } = await buildServer(user)
    await expectRejected(user, administration(user, publicId), RESTRICTED)
    await expectRejected(app.anonymous, administration(user, publicId), NOT_SIGNED_IN)
    expect((await user.call(servers.get, { params: { id: publicId } })).status).toBe(200)
  })

  test('has no administrator rights as a manager, and cannot delete the managed server', async () => {
    const [owner, manager] = [await app.newUser(), await app.newUser()]
    const { public_id: publicId } = await buildServer(owner)
    await grant(owner, manager.id, ['EDIT_DETAILS', 'EDIT_APPEARANCE', 'REISSUE_CREDENTIAL', 'RESET_ADDRESS'])
    await expectRejected(manager, administration(manager, publicId), RESTRICTED)
    expect((await manager.call(servers.remove, { params: { id: publicId } })).status).toBe(404)
  })

  test("gets 404 for another user's server and issue", async () => {
    const [owner, stranger] = [await app.newUser(), await app.newUser()]
    const { public_id: publicId } = await buildServer(owner)
    const { id: issueId } = await raiseIssue(app, owner, { kind: 'ADDRESS_MISMATCH', publicId })
    await offer(owner, publicId, (await app.newUser()).id)
    expect((await stranger.call(servers.get, { params: { id: publicId } })).status).toBe(404)
    const params = { userId: owner.id, issueId }
    expect((await stranger.call(protection.issue, { params })).status).toBe(404)
    expect((await stranger.call(protection.issue, { params: { userId: stranger.id, issueId } })).status).toBe(404)
    expect((await owner.call(protection.issue, { params })).status).toBe(200)
    expect((await admin.call(protection.issue, { params })).status).toBe(200)
  })

  test('loses the role the moment ADMIN is removed', async () => {
    const user = await app.newUser()
    const { public_id: publicId } = await buildServer(user)
    await admin.call(grantBenefit, { params: { id: user.id, key: 'ADMIN' } })
    expect((await user.call(adminUsers)).status).toBe(200)
    await admin.call(takeBenefit, { params: { id: user.id, key: 'ADMIN' } })
    await expectRejected(user, administration(user, publicId), RESTRICTED)
  })
})
