/** What somebody has who is banned, leaving, or no administrator: what product.md says in its sections 2, 4, 6 and 7, seen from outside. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import * as audit from '#contract/audit.ts'
import { logOut } from '#contract/auth.ts'
import * as protection from '#contract/protection.ts'
import * as servers from '#contract/servers.ts'
import * as serversAdmin from '#contract/servers-admin.ts'
import { me } from '#contract/users.ts'
import { adminUser, adminUsers, banUser, changeLimits, forceTier, grantBenefit, takeBenefit } from '#contract/users-admin.ts'
import { announce, buildServer, grant, offer } from './factories.ts'
import { raiseOne } from './findings.ts'
import { type Person, type SignedIn, type TestApp, startApp } from './harness.ts'

const BANNED = [403, ['Your account is banned.']]
const LEAVING = [403, ['Your account is set for deletion. Cancel the deletion first.']]
const RESTRICTED = [403, ['Restricted access. You must have the ADMIN benefit to access this page.']]
const NOT_SIGNED_IN = [403, ['You are not signed in.']]

let app: TestApp
let admin: SignedIn

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

type Refused = readonly [string, (who: Person) => Promise<{ status: number; error: { errors: readonly string[] } }>]

/** Each kind of thing a person may do here: reading, writing, other people's things, and administration. */
const doings = (person: SignedIn, publicId: string): readonly Refused[] => [
  ['list servers', (who) => who.call(servers.list)],
  ['read a server', (who) => who.call(servers.get, { params: { id: publicId } })],
  ['make a server', (who) => who.call(servers.create, { body: { name: 'Not to be' } })],
  ['change a server', (who) => who.call(servers.change, { params: { id: publicId }, body: { description: 'x' } })],
  ['delete a server', (who) => who.call(servers.remove, { params: { id: publicId } })],
  ['read his issues', (who) => who.call(protection.issuesOfUser, { params: { userId: person.id } })],
  ['export', (who) => who.call(account.exportData)],
  ['ask for deletion', (who) => who.call(account.requestDeletion)],
  ...administration(person, publicId),
]

const administration = (person: SignedIn, publicId: string): readonly Refused[] => [
  ['list people', (who) => who.call(adminUsers)],
  ['look at a person', (who) => who.call(adminUser, { params: { id: person.id } })],
  ['ban a person', (who) => who.call(banUser, { params: { id: person.id }, body: { banned: false } })],
  ['set limits', (who) => who.call(changeLimits, { params: { id: person.id }, body: { max_managers: 1000 } })],
  ['force a tier', (who) => who.call(forceTier, { params: { id: person.id }, body: { tier_id: 'GOLD' } })],
  ['grant', (who) => who.call(grantBenefit, { params: { id: person.id, key: 'ADMIN' } })],
  ['take back', (who) => who.call(takeBenefit, { params: { id: admin.id, key: 'ADMIN' } })],
  ['list all servers', (who) => who.call(serversAdmin.adminServers)],
  ['look at any server', (who) => who.call(serversAdmin.adminServer, { params: { id: publicId } })],
  ['ban a server', (who) => who.call(serversAdmin.banServer, { params: { id: publicId }, body: { banned: false } })],
  ['delete any server', (who) => who.call(serversAdmin.removeAdminServer, { params: { id: publicId } })],
  ['read the audit log', (who) => who.call(audit.audit)],
  ['read the queue', (who) => who.call(protection.issues)],
]

async function expectRefused(who: Person, all: readonly Refused[], refusal: readonly unknown[]): Promise<void> {
  for (const [what, call] of all) {
    const { status, error } = await call(who)
    expect([status, error.errors], what).toEqual(refusal)
  }
}

const banned = (who: SignedIn, body: object = {}) => admin.call(banUser, { params: { id: who.id }, body })

describe('who is banned', () => {
  test('reads that he is, and why if a reason was given, logs out, and can do nothing else', async () => {
    const person = await app.someone()
    const { public_id: publicId } = await buildServer(person)
    await banned(person)
    const without = (await person.call(me)).data
    expect(without.banned).toBe(true)
    expect(without).not.toHaveProperty('ban_reason')
    await banned(person, { banReason: 'Selling players' })
    expect((await person.call(me)).data).toMatchObject({ banned: true, ban_reason: 'Selling players', delete_at: null })
    await expectRefused(person, doings(person, publicId), BANNED)
    expect((await person.call(account.cancelDeletion)).error.errors).toEqual(BANNED[1])
    expect((await person.call(logOut)).status).toBe(204)
    const after = await person.call(me)
    expect([after.status, after.error.errors]).toEqual(NOT_SIGNED_IN)
  })

  test('is banned before he is leaving: he can not cancel, and finds his deletion again when the ban ends', async () => {
    const person = await app.someone()
    const date = (await person.call(account.requestDeletion)).data
    await banned(person)
    expect((await person.call(me)).data).toMatchObject({ banned: true, delete_at: date })
    const refused = await person.call(account.cancelDeletion)
    expect([refused.status, refused.error.errors]).toEqual(BANNED)
    await banned(person, { banned: false })
    expect((await person.call(me)).data).toMatchObject({ banned: false, delete_at: date })
    expect((await person.call(account.cancelDeletion)).status).toBe(204)
    expect((await person.call(me)).data.delete_at).toBeNull()
  })

  test('is no administrator meanwhile, and is one again when the ban ends', async () => {
    const person = await app.someone()
    const { public_id: publicId } = await buildServer(person)
    await admin.call(grantBenefit, { params: { id: person.id, key: 'ADMIN' } })
    await banned(person)
    await expectRefused(person, administration(person, publicId), BANNED)
    await banned(person, { banned: false })
    expect((await person.call(adminUsers)).status).toBe(200)
  })

  test('has his servers off the list at once, and their announces are refused until the ban ends', async () => {
    const person = await app.someone()
    const server = await buildServer(person)
    const isListed = async () => {
      const list = (await (await fetch(`${app.listUrl}/servers`)).json()) as { publicId: string }[]
      return list.some(({ publicId }) => publicId === server.public_id)
    }
    expect((await announce(app, server.credential)).status).toBe(200)
    await expect.poll(isListed).toBe(true)
    await banned(person)
    await expect.poll(isListed).toBe(false)
    const refused = await announce(app, server.credential)
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'OWNER_BANNED'])
    await banned(person, { banned: false })
    expect((await announce(app, server.credential)).status).toBe(200)
    await expect.poll(isListed).toBe(true)
  })
})

describe('who is set for deletion', () => {
  test('reads until when he can change his mind, may do so or log out, and can do nothing else', async () => {
    const person = await app.someone()
    const { public_id: publicId } = await buildServer(person)
    const date = (await person.call(account.requestDeletion)).data
    expect(Date.parse(date) - Date.now()).toBeGreaterThan(86_300_000)
    expect((await person.call(me)).data).toMatchObject({ banned: false, delete_at: date })
    await expectRefused(person, doings(person, publicId), LEAVING)
    expect((await person.call(account.cancelDeletion)).status).toBe(204)
    expect((await person.call(me)).data.delete_at).toBeNull()
    expect((await person.call(servers.get, { params: { id: publicId } })).status).toBe(200)
    await person.call(account.requestDeletion)
    expect((await person.call(logOut)).status).toBe(204)
    expect((await person.call(me)).status).toBe(403)
  })

  test('is no administrator meanwhile', async () => {
    const person = await app.someone()
    const { public_id: publicId } = await buildServer(person)
    await admin.call(grantBenefit, { params: { id: person.id, key: 'ADMIN' } })
    expect((await person.call(account.requestDeletion)).status).toBe(200)
    await expectRefused(person, administration(person, publicId), LEAVING)
  })
})

describe('who is no administrator', () => {
  test('is told so by every call of administration, also about himself and his own servers', async () => {
    const person = await app.someone()
    const { public_id: publicId } = await buildServer(person)
    await expectRefused(person, administration(person, publicId), RESTRICTED)
    await expectRefused(app.anonymous, administration(person, publicId), NOT_SIGNED_IN)
    expect((await person.call(servers.get, { params: { id: publicId } })).status).toBe(200)
  })

  test('has nothing more by being a manager, and may refuse to be one', async () => {
    const [owner, manager] = [await app.someone(), await app.someone()]
    const { public_id: publicId } = await buildServer(owner)
    await grant(owner, manager.id, ['EDIT_DETAILS', 'EDIT_APPEARANCE', 'REISSUE_CREDENTIAL', 'RESET_ADDRESS'])
    await expectRefused(manager, administration(manager, publicId), RESTRICTED)
    expect((await manager.call(servers.remove, { params: { id: publicId } })).status).toBe(404)
  })

  test("sees nothing of somebody else's server and issue: they are not there for him", async () => {
    const [owner, stranger] = [await app.someone(), await app.someone()]
    const { public_id: publicId } = await buildServer(owner)
    const { id: issueId } = await raiseOne(app, owner, { kind: 'ADDRESS_MISMATCH', publicId })
    await offer(owner, publicId, (await app.someone()).id)
    expect((await stranger.call(servers.get, { params: { id: publicId } })).status).toBe(404)
    const params = { userId: owner.id, issueId }
    expect((await stranger.call(protection.issue, { params })).status).toBe(404)
    expect((await stranger.call(protection.issue, { params: { userId: stranger.id, issueId } })).status).toBe(404)
    expect((await owner.call(protection.issue, { params })).status).toBe(200)
    expect((await admin.call(protection.issue, { params })).status).toBe(200)
  })

  test('is none any more the moment ADMIN is taken', async () => {
    const person = await app.someone()
    const { public_id: publicId } = await buildServer(person)
    await admin.call(grantBenefit, { params: { id: person.id, key: 'ADMIN' } })
    expect((await person.call(adminUsers)).status).toBe(200)
    await admin.call(takeBenefit, { params: { id: person.id, key: 'ADMIN' } })
    await expectRefused(person, administration(person, publicId), RESTRICTED)
  })
})
