/** A user's webhooks: creating, changing, deleting them, and their secrets. */
import { lockWebhook } from '#backend/platform/database/lock-order.ts'
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { TEST_EVENT_TYPE } from '#contract/events/public-events.ts'
import { type NewWebhook, WEBHOOK_LIMITS, type WebhookChanges, readDiscordWebhookUrl } from '#contract/webhooks/webhooks.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { conflict, forField, forbidden, invalid, orNotFound, tooManyRequests } from '#backend/platform/errors.ts'
import { rejectForbiddenUrl } from '#backend/platform/outbound/guarded-client.ts'
import { bySelf, diff, recordEvent } from '#backend/core/events/events.ts'
import { lockActor } from '#backend/core/users/users.ts'
import { type DeliveryRow, dropPending, listDeliveries, makePending } from './deliveries.queries.ts'
import { type Outbox, sendAfterCommit } from './publish.ts'
import { startWatching } from './server-watcher.ts'
import {
  type WebhookRow,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listOwnServerIds,
  listWebhooksOf,
  replaceSecret,
  updateWebhook,
} from './webhooks.queries.ts'

export { deleteOldDeliveries } from './deliveries.queries.ts'
export { listWebhooksOf } from './webhooks.queries.ts'

type Parts = Pick<Deps, 'db' | 'env' | 'clock'> & { readonly registry: Pick<Registry, 'get'> }
type Input = NewWebhook | (WebhookChanges & Pick<NewWebhook, 'kind'>)

/** Each signature lengthens a header of every delivery. */
const MAX_OLDER_SECRETS = 8

const lookOf = ({ ANNOUNCE_TTL_SECONDS: ttl }: Deps['env'], clock: Deps['clock']) => ({ ...readClocks(clock), ttlMs: ttl * 1000 })

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Throws `forbidden` at the limit. The secret of a standard webhook is in the row; show it once. */
export async function createWebhook({ db, env, clock, registry }: Parts, ownerId: string, input: NewWebhook): Promise<WebhookRow> {
  const url = await checkedUrl(env, input)
  return transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'update')
    if ((await listWebhooksOf(trx, ownerId)).length >= WEBHOOK_LIMITS.perAccount)
      throw forbidden('WEBHOOK_LIMIT_REACHED', { count: WEBHOOK_LIMITS.perAccount })
    await rejectForeignServers(trx, ownerId, input.server_ids)
    const secret = input.kind === 'standard' ? newSecret() : null
    const row = await insertWebhook(trx, { ...input, url, id: uuidv7(), owner_id: ownerId, secret })
    await startWatching(trx, row, registry, lookOf(env, clock))
    await recordEvent(trx, { action: 'WEBHOOK_CREATED', ...bySelf(ownerId), after: recordedFields(row) })
    return row
  })
}

/** Does nothing if no field changes. Enabling clears the reason; disabling drops pending deliveries. */
export function changeWebhook(
  { db, env, clock, registry }: Parts,
  ownerId: string,
  id: string,
  input: WebhookChanges,
): Promise<WebhookRow> {
  return transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'share')
    const row = await lockOwnWebhook(trx, ownerId, id)
    const url = await checkedUrl(env, { ...input, kind: row.kind === 'discord' ? 'discord' : 'standard' })
    const changes = url === undefined ? input : { ...input, url }
    // Servers that were deleted since may stay in the list.
    await rejectForeignServers(
      trx,
      ownerId,
      changes.server_ids?.filter((publicId) => !row.server_ids.includes(publicId)),
    )
    if (diff(row, changes) === undefined) return row
    const reset = {
      ...(changes.enabled === true && { disabled_reason: null, failing_since: null, paused_until: null }),
      // The new receiver has not failed yet.
      ...(url !== undefined && url !== row.url && { failing_since: null, paused_until: null }),
    }
    const next = await updateWebhook(trx, id, { ...changes, ...reset })
    if (!next.enabled) await dropPending(trx, id)
    if (['enabled', 'events', 'server_ids'].some((field) => field in changes)) {
      await startWatching(trx, next, registry, lookOf(env, clock))
    }
    await recordEvent(trx, { action: 'WEBHOOK_CHANGED', ...bySelf(ownerId), ...diff(recordedFields(row), recordedFields(next)) })
    return next
  })
}

export function removeWebhook(db: Db, ownerId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'share')
    const row = await lockOwnWebhook(trx, ownerId, id)
    await deleteWebhook(trx, id)
    await recordEvent(trx, { action: 'WEBHOOK_DELETED', ...bySelf(ownerId), before: recordedFields(row) })
  })
}

/** Each previous secret signs for its own day. Show the new one once. Throws `too-many` if too many would sign. */
export function rotateSecret({ db, clock }: Pick<Deps, 'db' | 'clock'>, ownerId: string, id: string): Promise<WebhookRow> {
  return transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'share')
    const row = await lockOwnWebhook(trx, ownerId, id)
    if (row.secret === null) throw invalid('WEBHOOK_DISCORD_SECRET')
    const next = await replaceSecret(trx, id, newSecret())
    const oldest = next.older_secrets[MAX_OLDER_SECRETS]
    if (oldest !== undefined) throw tooManyRequests(Math.max(1, Math.ceil((Date.parse(oldest.until) - clock.now()) / 1000)))
    await recordEvent(trx, { action: 'WEBHOOK_SECRET_ROTATED', ...bySelf(ownerId), after: { name: row.name } })
    return next
  })
}

export async function getWebhook(db: Db, ownerId: string, id: string): Promise<WebhookRow> {
  return orNotFound(isUuid(id) ? await findWebhook(db, ownerId, id) : undefined, 'WEBHOOK_NOT_FOUND')
}

export async function listDeliveriesOf(db: Db, ownerId: string, id: string, days: number): Promise<DeliveryRow[]> {
  return listDeliveries(db, (await getWebhook(db, ownerId, id)).id, days)
}

/** Throws `conflict` if the webhook is disabled, or the delivery is a test. */
export function retryDelivery(
  { db, queue }: Pick<Deps, 'db'> & Pick<Outbox, 'queue'>,
  ownerId: string,
  id: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  return transaction(db, async (trx) => {
    const webhook = await lockOwnWebhook(trx, ownerId, id)
    if (!webhook.enabled) throw conflict('WEBHOOK_DISABLED')
    const row = orNotFound(isUuid(deliveryId) ? await makePending(trx, id, deliveryId) : undefined, 'DELIVERY_NOT_FOUND')
    if (row.event_type === TEST_EVENT_TYPE) throw conflict('DELIVERY_IS_TEST')
    // The owner knows better than the receiver's last answer.
    await updateWebhook(trx, id, { paused_until: null })
    sendAfterCommit(trx, queue)
    return row
  })
}

async function lockOwnWebhook(trx: Db, ownerId: string, id: string): Promise<WebhookRow> {
  return orNotFound(isUuid(id) ? await lockWebhook(trx, ownerId, id) : undefined, 'WEBHOOK_NOT_FOUND')
}

/** Throws `invalid`. Returns the URL, Discord's in its usual spelling. */
async function checkedUrl(env: Deps['env'], input: NewWebhook): Promise<string>
async function checkedUrl(env: Deps['env'], input: Input): Promise<string | undefined>
async function checkedUrl(env: Deps['env'], input: Input): Promise<string | undefined> {
  const { kind, offline_after_seconds: offlineAfter } = input
  if (offlineAfter !== undefined && offlineAfter < env.ANNOUNCE_TTL_SECONDS)
    throw invalid('WEBHOOK_OFFLINE_TOO_SHORT', { min: Math.ceil(env.ANNOUNCE_TTL_SECONDS) }).inField('offline_after_seconds')
  if (input.url === undefined) return undefined
  const url = kind === 'discord' ? readDiscordWebhookUrl(input.url)?.url : input.url
  if (url === undefined) throw invalid('WEBHOOK_DISCORD_URL').inField('url')
  await forField('url', () => rejectForbiddenUrl(url, env.WEBHOOKS_PRIVATE))
  return url
}

async function rejectForeignServers(trx: Db, ownerId: string, publicIds: readonly string[] = []): Promise<void> {
  const own = new Set(await listOwnServerIds(trx, ownerId, publicIds))
  if (publicIds.some((publicId) => !own.has(publicId))) throw invalid('WEBHOOK_SERVER_NOT_OWN').inField('server_ids')
}

/** For the activity. Of the URL only the host, because the rest can be a secret. */
function recordedFields({ name, kind, url, events, server_ids: ids, ...row }: WebhookRow) {
  const { offline_after_seconds, players_above, enabled } = row
  const servers = ids.length === 0 ? 'all' : ids
  return { name, format: kind, host: new URL(url).host, events, servers, offline_after_seconds, players_above, enabled }
}
