/**
 * Publishes changes of live servers: online, offline, listed, players, bound address. Compares the list with what each webhook was last told.
 * The first look at a server only stores its state, so a new webhook starts without events.
 */
import type { PublicEventType } from '#contract/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { type LiveState, type Look, NEVER_ANNOUNCED, eventsBetween, isSameState, nextState } from './live-state.ts'
import { type PublicEvent, enqueueEvents, newEventId } from './publish.ts'
import { type StateRow, type WebhookRow, changeState, deleteStates, listEnabledWith, listStates, lockEnabled } from './webhooks.queries.ts'

const LIVE_EVENTS: readonly PublicEventType[] = [
  'server.online',
  'server.offline',
  'server.listed',
  'server.unlisted',
  'players.threshold',
  'address.bound',
]

interface Change {
  readonly previous: StateRow | undefined
  readonly next: StateRow
  readonly events: readonly PublicEvent[]
}

/** The job. One cheap query if no webhook is subscribed to such events. */
export async function raiseServerAlerts(deps: Pick<Deps, 'db' | 'env' | 'clock'>, registry: Pick<Registry, 'all'>): Promise<void> {
  const { db, env, clock } = deps
  const webhooks = await listEnabledWith(db, LIVE_EVENTS)
  if (webhooks.length === 0) return
  const webhooksByOwner = Map.groupBy(webhooks, (webhook) => webhook.owner_id)
  const states = new Map(
    (
      await listStates(
        db,
        webhooks.map(({ id }) => id),
      )
    ).map((state) => [keyOf(state.webhook_id, state.server_id), state]),
  )
  const changesByWebhook = new Map(webhooks.map((webhook) => [webhook, [] as Change[]]))
  const look: Look = { now: clock.now(), ttlMs: env.ANNOUNCE_TTL_SECONDS * 1000 }
  for (const server of registry.all()) {
    for (const webhook of webhooksByOwner.get(server.fields.ownerId) ?? []) {
      if (webhook.server_ids.length > 0 && !webhook.server_ids.includes(server.publicId)) continue
      const key = keyOf(webhook.id, server.publicId)
      const change = changeOf(webhook, server, states.get(key), look)
      states.delete(key)
      if (change !== undefined) changesByWebhook.get(webhook)?.push(change)
    }
  }
  for (const [webhook, changes] of changesByWebhook)
    if (changes.length > 0) await transaction(db, (trx) => publishChanges(trx, { env, webhook, changes, at: new Date(look.now) }))
  // Of servers that have another owner now.
  for (const [webhookId, left] of Map.groupBy(states.values(), (state) => state.webhook_id))
    await deleteStates(
      db,
      webhookId,
      left.map((state) => state.server_id),
    )
}

const keyOf = (webhookId: string, serverId: string) => `${webhookId} ${serverId}`

interface Publication extends Pick<Deps, 'env'> {
  readonly webhook: WebhookRow
  readonly changes: readonly Change[]
  readonly at: Date
}

async function publishChanges(trx: Db, { env, webhook, changes, at }: Publication): Promise<void> {
  if (!(await lockEnabled(trx, webhook.id))) return
  // Two nodes lock in the same order.
  const ordered = changes.toSorted((a, b) => (a.next.server_id < b.next.server_id ? -1 : 1))
  for (const { previous, next, events } of ordered) {
    if (!(await changeState(trx, previous, next))) continue
    const wanted = events.filter(({ type }) => webhook.events.includes(type))
    await enqueueEvents(
      trx,
      env,
      wanted.map((event) => ({ webhook, event, eventId: newEventId(), at })),
    )
  }
}

/** The new state and its events. Undefined if nothing changed. */
function changeOf(webhook: WebhookRow, server: ServerRecord, previous: StateRow | undefined, look: Look): Change | undefined {
  const before = previous ?? startOf(webhook, server)
  const next = nextState(server, before, webhook, look)
  if (previous !== undefined && isSameState(previous, next)) return undefined
  return {
    previous,
    next: { webhook_id: webhook.id, server_id: server.publicId, ...next },
    events: before === undefined ? [] : eventsBetween(server, before, next, look),
  }
}

/** A server that was created while its webhook was watching starts as one that never announced, so that its first listing is published. */
function startOf({ watching_since: watchingSince }: WebhookRow, server: ServerRecord): LiveState | undefined {
  return server.fields.createdAt < watchingSince.getTime() ? undefined : NEVER_ANNOUNCED
}
