/** Creates the data that tests start with. Each factory creates its own prerequisites. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import * as apiKeys from '#contract/users/api-keys.ts'
import type { BodyIn } from '#contract/api/endpoint.ts'
import * as groups from '#contract/servers/groups.ts'
import { PURPOSES, type Purpose } from '#contract/servers/images.ts'
import * as managers from '#contract/servers/managers.ts'
import type { Permission } from '#contract/servers/permissions.ts'
import type { Scope } from '#contract/users/scopes.ts'
import { SERVER_FIELD_NAMES, type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import * as servers from '#contract/servers/servers.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import type { GivenManagement } from '#contract/users/users.ts'
import type { TestUser, TestApp } from './harness.ts'

let count = 0

/** Letters without look-alikes. */
const LETTERS = 'abcdefghjkpqstuxyz'

/** A name that is unused and looks like no other. */
export function newName(): string {
  count += 1
  let word = ''
  for (let rest = count; rest > 0; rest = Math.floor(rest / LETTERS.length)) word += LETTERS[rest % LETTERS.length]
  return `Server ${word} of the tests`
}

export async function buildServer(owner: TestUser, body: Partial<BodyIn<typeof servers.create>> = {}): Promise<ServerWithCredential> {
  const created = await owner.call(servers.create, { body: { name: newName(), ...body } })
  expect(created.status, created.text).toBe(200)
  return created.data
}

/** A new value of each field, for a server of this owner. Give them every benefit first. */
export async function newFieldValues(
  app: Pick<TestApp, 'db'>,
  owner: TestUser & { readonly id: string },
): Promise<[ServerFieldName, unknown][]> {
  const references: Partial<Record<ServerFieldName, unknown>> = {
    name: newName(),
    icon_image_id: (await storeImage(app, owner.id, 'SERVER_ICON')).id,
    group_id: (await owner.call(groups.create, { body: { name: newName() } })).data.id,
    vanity_url: newName()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-'),
  }
  return SERVER_FIELD_NAMES.map((name) => [name, references[name] ?? serverField(name).examples.at(-1) ?? expect.unreachable(name)])
}

/** Deletes every server in the bin for good, as the job does after seven days. */
export async function emptyBin(app: Pick<TestApp, 'db' | 'runJob'>): Promise<void> {
  await app.db
    .updateTable('all_servers')
    .set({ deleted_at: new Date(Date.now() - 7 * 86_400_000 - 1000) })
    .where('deleted_at', 'is not', null)
    .execute()
  await app.runJob('purge-deleted-servers')
}

export const validAnnounce = {
  port: 7788,
  playersCount: 12,
  maxPlayersCount: 128,
  passworded: false,
  version: '15.57',
  branch: 'release',
} as const

const ports = new Map<string, number>()

/** The port of a test server: each has its own, because two servers at one address are one row of the list. The six after it are free, too. */
export function portOf(credential: string): number {
  const port = ports.get(credential) ?? 20_000 + ((ports.size * 7) % 40_000)
  ports.set(credential, port)
  return port
}

/** Sends one announce over HTTP. */
export async function announce(app: Pick<TestApp, 'listUrl'>, credential: string, body: Record<string, unknown> = {}): Promise<Response> {
  return fetch(`${app.listUrl}/announce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({ ...validAnnounce, port: portOf(credential), ...body }),
  })
}

export async function ban(app: Pick<TestApp, 'db'>, userId: string, reason = 'Testing'): Promise<void> {
  await app.db.updateTable('users').set({ banned: true, ban_reason: reason, banned_at: new Date() }).where('id', '=', userId).execute()
}

export async function scheduleDeletion(app: Pick<TestApp, 'db'>, userId: string): Promise<void> {
  await app.db
    .updateTable('users')
    .set({ delete_at: new Date(Date.now() + 86_400_000) })
    .where('id', '=', userId)
    .execute()
}

export async function setTier(app: Pick<TestApp, 'db'>, userId: string, tier: string | null): Promise<void> {
  await app.db.updateTable('users').set({ owned_tier: tier }).where('id', '=', userId).execute()
}

/** Inserts the row of an uploaded image without storing a file. Returns its ID and file name. */
export async function storeImage(app: Pick<TestApp, 'db'>, ownerId: string, purpose: Purpose): Promise<{ id: string; file: string }> {
  const [id, file] = [randomUUID(), `${randomUUID()}.png`]
  const { width, height } = PURPOSES[purpose]
  const row = { id, owner_id: ownerId, purpose, file, width, height, mime: 'image/png', bytes: 1000 }
  await app.db.insertInto('images').values(row).execute()
  return { id, file }
}

/** Makes a user a manager of all servers of this owner. */
export async function grant(owner: TestUser, managerId: string, permissions: Permission[]): Promise<GivenManagement> {
  const granted = await owner.call(managers.grant, { body: { user_id: managerId, permissions } })
  expect(granted.status, granted.text).toBe(200)
  return granted.data
}

/** Creates an API key for 30 days. */
export async function buildApiKey(user: TestUser, ...scopes: Scope[]): Promise<apiKeys.ApiKeyWithSecret> {
  const created = await user.call(apiKeys.create, { body: { name: 'CI', scopes, expires_in_days: 30 } })
  expect(created.status, created.text).toBe(200)
  return created.data
}

/** Offers a server to a user. */
export async function offer(owner: TestUser, publicId: string, toUserId: string): Promise<ServerTransfer> {
  const created = await owner.call(transfers.offer, { body: { token_id: publicId, user_id: toUserId } })
  expect(created.status, created.text).toBe(200)
  return created.data
}
