/** Parameters, body and expected status of each endpoint in the access matrix. */
import { randomUUID } from 'node:crypto'
import * as account from '#contract/users/account.ts'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import type { BodyIn } from '#contract/api/endpoint.ts'
import * as groups from '#contract/servers/groups.ts'
import type { Api } from '#contract/index.ts'
import * as servers from '#contract/servers/servers.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import * as identities from '#contract/users/identities.ts'
import * as sessions from '#contract/users/sessions.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import * as apiKeys from '#contract/users/api-keys.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { announce, buildServer, grant, newName, offer } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import type { TestUser, SignedInUser, TestApp } from '#tests/harness.ts'

/** Kinds of callers. Editor to resetter are managers with one permission each, in the order of the permissions. */
export const KINDS = [
  'anonymous',
  'owner',
  'recipient',
  'editor',
  'designer',
  'reissuer',
  'resetter',
  'stranger',
  'banned',
  'leaving',
  'administrator',
  'gameServer',
] as const
export type Kind = (typeof KINDS)[number]

export const MEMBERS: readonly Kind[] = ['owner', 'recipient', 'editor', 'designer', 'reissuer', 'resetter', 'stranger', 'administrator']
const MANAGERS: readonly Kind[] = ['editor', 'designer', 'reissuer', 'resetter']

export interface World {
  readonly app: TestApp
  readonly users: Record<Exclude<Kind, 'gameServer'>, TestUser>
  readonly bystander: TestUser
  readonly onlooker: TestUser
  readonly server: ServerWithCredential
}

export interface CaseInput {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface Case {
  readonly prepare?: (world: World) => CaseInput | Promise<CaseInput>
  /** The status for an admitted kind; success by default. */
  readonly expected?: (kind: Kind) => number | 'success'
  readonly restore?: (world: World, kind: Kind) => Promise<void>
}

const onlyFor =
  (...kinds: readonly Kind[]) =>
  (kind: Kind) =>
    kinds.includes(kind) ? 'success' : 404

/** Only one manager has the permission. Callers who are not managers do not see the server. */
const managersOnly = (allowed: Kind) => (kind: Kind) => (kind === allowed ? 'success' : MANAGERS.includes(kind) ? 403 : 404)

const managed = ({ users, server }: World) => ({ ownerId: users.owner.id ?? '', serverId: server.public_id })

async function freshOffer({ users }: World): Promise<{ params: { id: string } }> {
  const server = await buildServer(users.owner)
  return { params: { id: (await offer(users.owner, server.public_id, users.recipient.id ?? '')).id } }
}

const own: Case = { expected: onlyFor('owner') }

/** A server of the owner for one case alone. */
const freshServer = async ({ users }: World) => ({ params: { id: (await buildServer(users.owner)).public_id } })

/** Grants a benefit to the owner or to the given user. */
async function grantBenefitTo({ users }: World, key: BenefitKey, id = users.owner.id ?? ''): Promise<void> {
  await users.administrator.call(usersAdmin.grantBenefit, { params: { id, key } })
}

async function freshGroup(world: World): Promise<{ params: { id: string }; body: { name: string } }> {
  await grantBenefitTo(world, 'MASTERLIST_GROUPS')
  const { administrator, owner } = world.users
  await administrator.call(usersAdmin.changeLimits, { params: { id: owner.id ?? '' }, body: { max_masterlist_groups: 100 } })
  const created = await owner.call(groups.create, { body: { name: newName() } })
  return { params: { id: created.data.id }, body: { name: newName() } }
}

async function freshWebhook({ users }: World): Promise<{ params: { id: string } }> {
  for (const { id } of (await users.owner.call(webhooks.list)).data) await users.owner.call(webhooks.remove, { params: { id } })
  const created = await users.owner.call(webhooks.create, { body: NEW_WEBHOOK })
  return { params: { id: created.data.id } }
}

async function freshDelivery(world: World): Promise<{ params: { id: string; deliveryId: string } }> {
  const { params } = await freshWebhook(world)
  const { users, server } = world
  await users.owner.call(servers.change, { params: { id: server.public_id }, body: { description: newName() } })
  const [delivery] = (await users.owner.call(webhooks.deliveries, { params })).data
  return { params: { ...params, deliveryId: delivery?.id ?? '' } }
}

/** Only the owner has the benefit. */
const benefitOwnerOnly = (kind: Kind) => (kind === 'owner' ? 'success' : 403)

/** Raises a new issue for the owner. */
async function ownIssue({ app, users, server }: World): Promise<{ userId: string; issueId: string }> {
  const owner = users.owner as SignedInUser
  const found = { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, fingerprint: randomUUID() } as const
  return { userId: owner.id, issueId: (await raiseIssue(app, owner, found)).id }
}

/** An administrator sees the issue but cannot act for the owner. */
const ownerOfIssue = (kind: Kind) => (kind === 'owner' ? 'success' : kind === 'administrator' ? 403 : 404)

const NEW_KEY: apiKeys.NewApiKey = { name: 'Matrix', scopes: ['servers:read'], expires_in_days: 1 }

/** A user can have 20 keys. The keys of the matrix itself have another name. */
async function revokeKeys({ users }: World, kind: Kind): Promise<void> {
  if (kind === 'gameServer') return
  const all = (await users[kind].call(apiKeys.list)).data ?? []
  for (const { id, name } of all) if (name === NEW_KEY.name) await users[kind].call(apiKeys.revoke, { params: { id } })
}

const NEW_WEBHOOK: BodyIn<typeof webhooks.create> = {
  name: 'Hook',
  kind: 'standard',
  url: 'https://hooks.example/',
  events: ['server.updated'],
}
const ownWebhook: Case = { prepare: freshWebhook, expected: onlyFor('owner') }

/** Keyed by route. An endpoint with default parameters, no body and a success status has no entry. */
export const ACCESS_CASES: Readonly<Record<string, Case>> = {
  'POST /api/users/webhooks': { prepare: () => ({ body: NEW_WEBHOOK }) },
  'PATCH /api/users/webhooks/{id}': {
    prepare: async (world) => ({ ...(await freshWebhook(world)), body: { name: 'Renamed' } }),
    expected: onlyFor('owner'),
  },
  'DELETE /api/users/webhooks/{id}': ownWebhook,
  'POST /api/users/webhooks/{id}/test': ownWebhook,
  'POST /api/users/webhooks/{id}/rotate-secret': ownWebhook,
  'GET /api/users/webhooks/{id}/deliveries': ownWebhook,
  'POST /api/users/webhooks/{id}/deliveries/{deliveryId}/retry': { prepare: freshDelivery, expected: onlyFor('owner') },
  'POST /api/users/notifications/read': { prepare: () => ({ body: { all: true } }) },
  'POST /api/auth/discord': { prepare: () => ({ body: { code: 'x', state: 'x' } }), expected: () => 400 },
  // Only the local provider is configured.
  'GET /api/auth/oidc/{id}': { expected: () => 404 },
  'POST /api/auth/oidc/{id}': { prepare: () => ({ body: { code: 'x', state: 'x' } }), expected: () => 404 },
  'POST /api/auth/recovery': { prepare: () => ({ body: { token: 'x' } }), expected: () => 400 },
  'POST /api/users/identities': { prepare: () => ({ body: { provider: 'discord' } }) },
  // Their only way to sign in stays.
  'DELETE /api/users/identities/{id}': {
    prepare: async ({ users }) => ({ params: { id: (await users.owner.call(identities.list)).data[0]?.id ?? '' } }),
    expected: (kind) => (kind === 'owner' ? 409 : 404),
  },
  'POST /api/auth/me/delete': {
    // The last administrator cannot leave.
    expected: (kind) => (kind === 'administrator' ? 403 : 'success'),
    restore: async ({ users }, kind) => {
      if (kind !== 'gameServer' && kind !== 'leaving') await users[kind].call(account.cancelDeletion)
    },
  },
  // Later cells need this user to be leaving.
  'POST /api/auth/me/delete/cancel': {
    restore: async ({ users }, kind) => {
      if (kind === 'leaving') await users.leaving.call(account.requestDeletion)
    },
  },
  'GET /api/users/public/{id}': { prepare: ({ bystander }) => ({ params: { id: bystander.id ?? '' } }) },
  'GET /api/users/public/discord/{username}': { prepare: () => ({ params: { username: 'ByStander' } }) },
  'DELETE /api/users/sessions/{id}': {
    prepare: async ({ app, users }) => {
      await app.signIn('owner')
      const { data } = await users.owner.call(sessions.list)
      return { params: { id: data.find(({ current }) => !current)?.id ?? '' } }
    },
    expected: onlyFor('owner'),
  },
  'PATCH /api/users/preferences': { prepare: () => ({ body: { theme: 'dark' } }) },
  'POST /api/users/tokens': { prepare: () => ({ body: { name: newName() } }) },
  // Uploads are multipart forms.
  'POST /api/users/images': { expected: () => 400 },
  'GET /api/users/tokens/{id}': own,
  'PATCH /api/users/tokens/{id}': { ...own, prepare: () => ({ body: { description: 'Changed' } }) },
  'DELETE /api/users/tokens/{id}': own,
  'POST /api/users/tokens/deleted/{id}/restore': {
    ...own,
    prepare: async ({ users }) => {
      const params = { id: (await buildServer(users.owner)).public_id }
      await users.owner.call(servers.remove, { params })
      return { params }
    },
  },
  'PATCH /api/users/tokens/{id}/reissue': { ...own, prepare: () => ({ body: { grace_seconds: 3600 } }) },
  'PATCH /api/users/tokens/{id}/reset-ip': own,
  'PUT /api/users/tokens/{id}/pin': { expected: onlyFor('owner', ...MANAGERS) },
  // The other server may be deleted by then.
  'DELETE /api/users/tokens/{id}/pin': {
    prepare: async ({ users }) => ({ params: { id: (await buildServer(users.owner)).public_id } }),
    expected: onlyFor('owner', ...MANAGERS),
  },
  // No server has announced, so the list has no chunks.
  'GET /signed/chunks/{sha256}': { expected: () => 404 },
  'GET /api/users/tokens/{id}/announces': { expected: onlyFor('owner', ...MANAGERS) },
  'GET /api/users/tokens/{id}/endpoint': { expected: onlyFor('owner', ...MANAGERS) },
  'POST /api/users/tokens/{id}/endpoint/test': { expected: onlyFor('owner', ...MANAGERS) },
  'GET /api/users/tokens/{id}/history': { expected: onlyFor('owner', ...MANAGERS) },
  'GET /api/users/tokens/{id}/historyEvents': { expected: onlyFor('owner', ...MANAGERS) },
  'GET /api/users/tokens/{id}/activity': own,
  'POST /api/users/tokens/transfers/create': {
    ...own,
    prepare: async ({ users }) => ({
      body: { token_id: (await buildServer(users.owner)).public_id, user_id: users.recipient.id },
    }),
  },
  'POST /api/users/tokens/transfers/{id}/accept': {
    prepare: freshOffer,
    expected: (kind) => (kind === 'recipient' ? 'success' : kind === 'owner' ? 403 : 404),
  },
  'POST /api/users/tokens/transfers/{id}/cancel': { prepare: freshOffer, expected: onlyFor('owner', 'recipient') },
  'POST /api/users/management': {
    prepare: ({ bystander }) => ({ body: { user_id: bystander.id, permissions: ['EDIT_DETAILS'] } }),
  },
  'DELETE /api/users/management': {
    // The onlooker has no other grant.
    prepare: async ({ users, onlooker }) => {
      await grant(users.owner, onlooker.id ?? '', ['EDIT_DETAILS'])
      return { body: { user_id: onlooker.id } }
    },
    expected: onlyFor('owner'),
  },
  'DELETE /api/users/management/self/{id}': {
    prepare: async ({ users }) => ({
      params: { id: (await grant(users.administrator, users.stranger.id ?? '', ['EDIT_DETAILS'])).id },
    }),
    expected: onlyFor('stranger'),
  },
  'GET /api/users/management/{ownerId}/tokens/{serverId}': {
    prepare: (world) => ({ params: managed(world) }),
    expected: onlyFor(...MANAGERS),
  },
  'PATCH /api/users/management/{ownerId}/tokens/{serverId}': {
    prepare: (world) => ({ params: managed(world), body: { description: 'Changed by a manager' } }),
    expected: managersOnly('editor'),
  },
  'PATCH /api/users/management/{ownerId}/tokens/{serverId}/reissue': {
    // A new server each time: two reissues would revoke the credential of the matrix.
    prepare: async (world) => ({
      params: managed({ ...world, server: await buildServer(world.users.owner) }),
      body: { grace_seconds: 3600 },
    }),
    expected: managersOnly('reissuer'),
  },
  'PATCH /api/users/management/{ownerId}/tokens/{serverId}/reset-ip': {
    prepare: (world) => ({ params: managed(world) }),
    expected: managersOnly('resetter'),
  },
  'POST /api/users/benefits/feed-preview': {
    prepare: () => ({ body: { url: 'https://feeds.example/' } }),
    // No URL is reachable in this test.
    expected: (kind) => (kind === 'administrator' ? 400 : 403),
  },
  'GET /api/users/benefits/{key}/settings': {
    prepare: async (world) => {
      await grantBenefitTo(world, 'CUSTOM_BANNER')
      return { params: { key: 'custom_banner' } }
    },
    expected: benefitOwnerOnly,
  },
  'PUT /api/users/benefits/{key}/settings': {
    prepare: async (world) => {
      await grantBenefitTo(world, 'CUSTOM_BANNER')
      return { params: { key: 'custom_banner' }, body: { image_id: null } }
    },
    expected: benefitOwnerOnly,
  },
  'POST /api/users/groups': {
    prepare: async (world) => ({ body: (await freshGroup(world)).body }),
    expected: benefitOwnerOnly,
  },
  'PATCH /api/users/groups/{id}': { ...own, prepare: freshGroup },
  'DELETE /api/users/groups/{id}': { ...own, prepare: async (world) => ({ params: (await freshGroup(world)).params }) },
  'GET /api/admin/users/{id}/benefits': { prepare: ({ bystander }) => ({ params: { id: bystander.id ?? '' } }) },
  'GET /api/admin/users/{id}/benefits/{key}/settings': {
    prepare: async (world) => {
      await grantBenefitTo(world, 'CUSTOM_BANNER', world.bystander.id)
      return { params: { id: world.bystander.id ?? '', key: 'custom_banner' } }
    },
  },
  'PUT /api/admin/users/{id}/benefits/{key}/settings': {
    prepare: async (world) => {
      await grantBenefitTo(world, 'CUSTOM_BANNER', world.bystander.id)
      return { params: { id: world.bystander.id ?? '', key: 'custom_banner' }, body: { image_id: null } }
    },
  },
  'GET /api/admin/users/{id}': { prepare: ({ bystander }) => ({ params: { id: bystander.id ?? '' } }) },
  'PATCH /api/admin/users/{id}/ban': {
    prepare: async ({ app }) => ({ params: { id: (await app.newUser()).id }, body: { banned: true, banReason: 'Testing' } }),
  },
  'PATCH /api/admin/tokens/{id}': { prepare: async (world) => ({ ...(await freshServer(world)), body: { description: 'Changed' } }) },
  'PATCH /api/admin/tokens/{id}/ban': {
    prepare: async (world) => ({ ...(await freshServer(world)), body: { banned: true, reason: 'Testing' } }),
  },
  'DELETE /api/admin/tokens/{id}': { prepare: freshServer },
  'GET /api/users/management/{ownerId}/appearance': {
    prepare: ({ users }) => ({ params: { ownerId: users.owner.id ?? '' } }),
    expected: managersOnly('designer'),
  },
  'PUT /api/admin/users/{id}/tier': {
    prepare: ({ bystander }) => ({ params: { id: bystander.id ?? '' }, body: { tier_id: null } }),
  },
  'PUT /api/admin/users/{id}/benefits/{key}': {
    prepare: ({ bystander }) => ({ params: { id: bystander.id ?? '', key: 'PROMOTED' } }),
  },
  'DELETE /api/admin/users/{id}/benefits/{key}': {
    prepare: ({ bystander }) => ({ params: { id: bystander.id ?? '', key: 'PROMOTED' } }),
  },
  'PATCH /api/admin/users/{id}': {
    prepare: ({ bystander }) => ({ params: { id: bystander.id ?? '' }, body: { max_managers: 3 } }),
  },
  'PATCH /api/admin/protection-issues/{id}': {
    prepare: async (world) => ({ params: { id: (await ownIssue(world)).issueId }, body: { note: 'Seen.' } }),
  },
  'GET /api/admin/protection-issues/{id}/reports': {
    prepare: async (world) => ({ params: { id: (await ownIssue(world)).issueId } }),
  },
  'POST /api/public/servers/{id}/reports': {
    prepare: async ({ app, server }) => {
      // Otherwise it has no public page.
      await announce(app, server.credential)
      return { body: { reason: 'other' } }
    },
    // Owners and managers cannot report their own server.
    expected: (kind) => (['owner', 'editor', 'designer', 'reissuer', 'resetter'].includes(kind) ? 400 : 'success'),
  },
  'GET /api/users/{userId}/protection-issues': {
    prepare: ({ users }) => ({ params: { userId: users.owner.id ?? '' } }),
    expected: onlyFor('owner', 'administrator'),
  },
  'GET /api/users/{userId}/protection-issues/{issueId}': {
    prepare: async (world) => ({ params: await ownIssue(world) }),
    expected: onlyFor('owner', 'administrator'),
  },
  'POST /api/users/{userId}/protection-issues/{issueId}/acknowledge': {
    prepare: async (world) => ({ params: await ownIssue(world) }),
    expected: ownerOfIssue,
  },
  'POST /api/users/{userId}/protection-issues/{issueId}/reply': {
    prepare: async (world) => ({ params: await ownIssue(world), body: { message: 'I have looked at it.' } }),
    expected: ownerOfIssue,
  },
  'POST /api/users/api-keys': {
    prepare: () => ({ body: NEW_KEY }),
    restore: revokeKeys,
  },
  'DELETE /api/users/api-keys/{id}': {
    prepare: async (world) => {
      await revokeKeys(world, 'owner')
      return { params: { id: (await world.users.owner.call(apiKeys.create, { body: NEW_KEY })).data.id } }
    },
    ...own,
  },
  'POST /api/leaks': { prepare: () => ({ body: [{ token: 'x', type: 'x', url: '', source: 'x' }] }) },
  // No provider is configured.
  'POST /api/supporters/{provider}': { prepare: () => ({ params: { provider: 'patreon' } }), expected: () => 404 },
  // The owner has no tier, so players need no sign-in.
  'POST /cloud-auth/ticket': { prepare: ({ server }) => ({ body: { server: server.public_id, code: 'x', codeVerifier: 'x' } }) },
  'POST /cloud-auth/verify': { prepare: () => ({ body: { ticket: 'x' } }) },
  'GET /servers/{id}/avg/{range}': { prepare: ({ server }) => ({ params: { id: server.public_id, range: '1d' } }) },
  'GET /servers/{id}/max/{range}': { prepare: ({ server }) => ({ params: { id: server.public_id, range: '7d' } }) },
  'GET /avg/{id}/{range}': { prepare: ({ server }) => ({ params: { id: server.public_id, range: '1d' } }) },
  'GET /max/{id}/{range}': { prepare: ({ server }) => ({ params: { id: server.public_id, range: '31d' } }) },
  // The owner has no benefit.
  'GET /servers/{id}/skin': { expected: () => 404 },
  // Whether the server has announced depends on the other cases.
  'GET /servers/{id}/badge.svg': { prepare: () => ({ params: { id: 'AAAAAAA' } }), expected: () => 404 },
  'DELETE /announce': { prepare: () => ({ body: { port: 7788 } }) },
  'POST /announce': {
    prepare: () => ({ body: { port: 7788, playersCount: 1, maxPlayersCount: 10, passworded: false, version: '1', branch: 'release' } }),
  },
} satisfies Readonly<Partial<Record<keyof Api, Case>>>
