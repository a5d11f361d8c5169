/**
 * Publishes changes of live servers: online, offline, listed, players, bound address. Compares the list with what each webhook was last told.
 * The first look at a server only stores its state, so a new webhook starts without events.
 */
import { hash } from 'node:crypto'
import type { PublicEventType } from '#contract/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
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

interface Look {
  readonly now: number
  readonly ttlMs: number
}

/** The new state and its events. Undefined if nothing changed. */
function changeOf(webhook: WebhookRow, server: ServerRecord, previous: StateRow | undefined, look: Look): Change | undefined {
  const before = previous ?? startOf(webhook, server)
  const next = stateOf(webhook, server, before, look)
  const isSame =
    previous !== undefined &&
    previous.is_offline === next.is_offline &&
    previous.is_listed === next.is_listed &&
    previous.is_above === next.is_above &&
    previous.binding === next.binding
  if (isSame) return undefined
  return { previous, next, events: before === undefined ? [] : eventsOf(server, before, next) }
}

/** A server that was created while its webhook was watching starts as one that never announced, so that its first listing is published. */
function startOf({ id, watching_since: watchingSince }: WebhookRow, server: ServerRecord): StateRow | undefined {
  if (server.fields.createdAt < watchingSince.getTime()) return undefined
  return { webhook_id: id, server_id: server.publicId, is_offline: false, is_listed: false, is_above: false, binding: null }
}

function stateOf(webhook: WebhookRow, server: ServerRecord, before: StateRow | undefined, { now, ttlMs }: Look): StateRow {
  const { online, announced } = server
  const isSilent = announced !== undefined && !online && now - silentSince(server, ttlMs) >= webhook.offline_after_seconds * 1000
  const isAbove = webhook.players_above !== null && (announced?.playersCount ?? 0) > webhook.players_above
  return {
    webhook_id: webhook.id,
    server_id: server.publicId,
    is_offline: online ? false : isSilent || before?.is_offline === true,
    // While a server is offline, these keep their values, so that a restart publishes nothing.
    is_listed: online ? server.isListed : before?.is_listed === true,
    is_above: online ? isAbove : before?.is_above === true,
    binding: bindingOf(server),
  }
}

/** The time of the last announce is saved only every few minutes, so after a restart of this program it can be too early. */
function silentSince({ lastAnnounceAt, since, endedBy }: ServerRecord, ttlMs: number): number {
  return Math.max(lastAnnounceAt, endedBy === 'EXPIRED' ? since - ttlMs : since)
}

/** The newest credential that is bound. */
function bindingOf({ credentials }: ServerRecord): string | null {
  const current = credentials.find((credential) => credential.graceUntil === undefined)
  if (current?.boundAddress === undefined) return null
  return hash('sha256', `${current.id} ${current.boundAddress}`, 'base64url').slice(0, 16)
}

function eventsOf(
  { fields: { publicId, name, ownerId }, announced, lastAnnounceAt }: ServerRecord,
  before: StateRow,
  next: StateRow,
): PublicEvent[] {
  const event = (type: PublicEventType, data: PublicEvent['data'] = {}) => ({ type, ownerId, server: { public_id: publicId, name }, data })
  const events: PublicEvent[] = []
  if (next.binding !== null && next.binding !== before.binding) events.push(event('address.bound'))
  if (next.is_offline !== before.is_offline)
    events.push(event(next.is_offline ? 'server.offline' : 'server.online', { last_announce_at: new Date(lastAnnounceAt).toISOString() }))
  if (next.is_listed !== before.is_listed) events.push(event(next.is_listed ? 'server.listed' : 'server.unlisted'))
  if (next.is_above && !before.is_above)
    events.push(event('players.threshold', { players: announced?.playersCount ?? 0, max_players: announced?.maxPlayersCount ?? 0 }))
  return events
}
