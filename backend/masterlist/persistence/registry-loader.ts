/** Loads the registry from the database: everything at start, later one server at a time. */
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { LIST_FIELDS, type ListFields } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { hasCustomLauncher } from '#backend/core/benefits/settings-scope.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { isRejection } from '#backend/masterlist/registry/reasons.ts'
import { type CredentialIndex, type LookupResult, keyOfHash } from '#backend/masterlist/registry/credential-index.ts'
import type { Proof } from '#backend/masterlist/registry/endpoint.ts'
import type { LiveState } from '#backend/masterlist/registry/live-state.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import {
  type AnnouncedState,
  type Ban,
  type EndedBy,
  type LiveCredential,
  type Cosmetics,
  type OwnerFields,
  NEVER_ANNOUNCED,
  NO_COSMETICS,
  type ServerRecord,
} from '#backend/masterlist/registry/server-record.ts'
import { enforcementOf, findingNoticesOf } from '#backend/core/protection/enforcement.ts'
import { benefitKeysOf } from '#backend/core/users/users.ts'
import {
  type CredentialRow,
  type LiveStateRow,
  type ServerRow,
  findCredentialByHash,
  findServer,
  listNewestAttempts,
  listPresenceOf,
  listValidCredentialsOf,
  pagesOfServers,
} from './masterlist.queries.ts'

type Source = Pick<Deps, 'db' | 'env'>

const SERVERS_PER_PAGE = 1000

export async function loadAll({ db, env }: Source, registry: Registry, index: CredentialIndex, at: Moment): Promise<void> {
  for await (const rows of pagesOfServers(db, SERVERS_PER_PAGE)) {
    const ids = rows.map((row) => row.public_id)
    const [credentials, presence, attempts] = await Promise.all([
      listValidCredentialsOf(db, ids),
      listPresenceOf(db, ids),
      listNewestAttempts(db, ids),
    ])
    const byServer = Map.groupBy(credentials, (row) => row.server_id)
    for (const row of rows) {
      const live = (byServer.get(row.public_id) ?? []).map((credential) => credentialOf(credential, row.public_id))
      registry.apply(fieldsOf(row, env), live, at)
      index.replace([], live)
    }
    for (const row of presence) {
      const server = registry.get(row.server_id)
      if (server !== undefined) registry.restore(server, liveStateOf(row), at)
    }
    for (const { server_id, at: attemptedAt, ...attempt } of attempts) {
      const server = registry.get(server_id)
      const isLatest = server !== undefined && isRejection(attempt.code) && attemptedAt.getTime() >= server.lastAnnounceAt
      if (isLatest) server.lastRejection = { ...attempt, at: attemptedAt.getTime() }
    }
  }
}

/**
 * Reloads one server. Returns false if it is deleted.
 * @param release called before the new state is applied, with the former record if the owner changed. No announce is accepted
 * until then, because none of its credentials is valid.
 */
export async function loadOne(
  { db, env, clock }: Source & Pick<Deps, 'clock'>,
  registry: Registry,
  index: CredentialIndex,
  publicId: string,
  release: (former: ServerRecord | undefined) => Promise<void>,
): Promise<boolean> {
  const [row, credentials] = await Promise.all([findServer(db, publicId), listValidCredentialsOf(db, [publicId])])
  const known = registry.get(publicId)
  const former = row !== undefined && row.owner_id !== known?.fields.ownerId ? known : undefined
  if (former !== undefined) {
    index.revokeOnTransfer(publicId, former.credentials)
    registry.remove(publicId, readClocks(clock))
  }
  await release(former)
  const previous = registry.get(publicId)?.credentials ?? []
  if (row === undefined) {
    index.replace(previous, [])
    return false
  }
  const live = credentials.map((credential) => credentialOf(credential, publicId, previous))
  index.replace(previous, live)
  const isNew = registry.get(publicId) === undefined
  const server = registry.apply(fieldsOf(row, env), live, readClocks(clock))
  // Open panels also show new servers.
  if (isNew) registry.onChange(server)
  return true
}

/** A server's live state from the database. */
export function liveStateOf(row: LiveStateRow): LiveState {
  return {
    // Rows saved by another version may lack fields.
    announced: { ...NEVER_ANNOUNCED, ...(row.announce as Partial<AnnouncedState>) },
    address: row.address,
    otherAddress: row.other_address ?? '',
    endpointSince: row.endpoint_since?.getTime() ?? Number(row.since),
    online: row.online,
    endedBy: row.ended_by as EndedBy,
    since: Number(row.since),
    lastAnnounceAt: Number(row.last_announce_at),
    changedAt: Number(row.changed_at),
    credentialId: row.credential_id ?? undefined,
  }
}

export async function findCredential(db: Deps['db'], hash: Buffer, now: number): Promise<LookupResult | undefined> {
  const row = await findCredentialByHash(db, hash)
  if (row === undefined) return undefined
  const isRevoked = row.revoked_at !== null || row.server_id === null || (row.grace_until !== null && row.grace_until.getTime() <= now)
  if (isRevoked) return { code: 'CREDENTIAL_REVOKED', publicId: row.server_id ?? undefined }
  return { publicId: row.server_id ?? '' }
}

/** @param previous the server's previous credentials, whose last uses are newer than the database's. */
function credentialOf(row: CredentialRow, publicId: string, previous: readonly LiveCredential[] = []): LiveCredential {
  const previousCredential = previous.find(({ id }) => id === row.id)
  return {
    id: row.id,
    key: keyOfHash(row.hash),
    publicId,
    server: undefined,
    issuedAt: row.issued_at.getTime(),
    graceUntil: row.grace_until?.getTime(),
    bound: row.bound ?? {},
    lastUsedAt: Math.max(row.last_used_at?.getTime() ?? 0, previousCredential?.lastUsedAt ?? 0),
  }
}

function cosmeticsOf(row: ServerRow, held: ReadonlySet<BenefitKey>, env: Deps['env']): Cosmetics {
  const urlIfHeld = (file: string | null, key: BenefitKey) => imageUrl(env, held.has(key) ? file : null)
  const { group_id: id, group_name: name } = row
  const cosmetics: Cosmetics = {
    iconUrl: urlIfHeld(row.icon_file, SERVER_FIELDS.icon_image_id.benefit),
    bannerUrl: urlIfHeld(row.banner_file, 'CUSTOM_BANNER') ?? '',
    joinBackgroundUrl: urlIfHeld(row.join_background_file, 'CUSTOM_JOIN_BACKGROUND') ?? '',
    group: held.has(SERVER_FIELDS.group_id.benefit) && id !== null && name !== null ? { id, name } : null,
    hasTheme: hasCustomLauncher(row.launcher, held),
  }
  const isEmpty =
    cosmetics.iconUrl === null &&
    cosmetics.bannerUrl === '' &&
    cosmetics.joinBackgroundUrl === '' &&
    cosmetics.group === null &&
    !cosmetics.hasTheme
  return isEmpty ? NO_COSMETICS : cosmetics
}

function toBan(reason: string | null, at: Date | null, until: Date | null): Ban {
  return { reason, at: at?.getTime(), until: until?.getTime() }
}

/** Without its benefit, a field has its initial value. */
function listFieldsOf(row: ServerRow, held: ReadonlySet<BenefitKey>): ListFields {
  const entries = LIST_FIELDS.map(({ field, name, benefit, initial }) => {
    const isShown = benefit === null || held.has(benefit)
    const value = (isShown ? row[field] : initial) ?? ''
    // An array that the database's driver has filled has room for 17 values.
    return [name, Array.isArray(value) ? [...value] : value]
  })
  return Object.fromEntries(entries) as ListFields
}

function proofOf(row: ServerRow['proof']): Proof | undefined {
  if (row === null) return undefined
  const { failed_at: failedAt, is_name_proven: isNameProven, ...rest } = row
  return { ...rest, isNameProven, failedAt: failedAt === null ? undefined : new Date(failedAt).getTime() }
}

/** Settings stay after a benefit ends, but have no effect. */
export function fieldsOf(row: ServerRow, env: Deps['env']): OwnerFields {
  const held = benefitKeysOf(row, row.grants)
  return {
    publicId: row.public_id,
    ownerId: row.owner_id,
    ...listFieldsOf(row, held),
    cosmetics: cosmeticsOf(row, held, env),
    verified: row.verified,
    ban: row.banned ? toBan(row.ban_reason, row.banned_at, row.banned_until) : undefined,
    ownerBan: row.owner_banned ? toBan(row.owner_ban_reason, row.owner_banned_at, row.owner_banned_until) : undefined,
    hiddenAt: row.hidden_at?.getTime(),
    addressPolicy: row.address_policy,
    proof: proofOf(row.proof),
    enforcement: enforcementOf(row.issues, env),
    findingNotices: findingNoticesOf(row.issues, env),
    cloudAuth: held.has('CLIENT_CLOUD_AUTH'),
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  }
}
