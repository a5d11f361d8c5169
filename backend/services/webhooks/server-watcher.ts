/**
 * Watches live servers for webhooks and inboxes: online, offline, listed, players, bound address. Compares the list with the states that each
 * of them was last notified of. A conditional update in the database makes one node publish each change.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PublicEventType } from '#contract/events/public-events.ts'
import { WEBHOOK_LIMITS } from '#contract/webhooks/webhooks.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { lockOwnServers } from '#backend/platform/database/lock-order.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { type LiveState, type Look, type Thresholds, NEVER_ANNOUNCED, eventsBetween, isSameState, nextState } from './live-state.ts'
import { type Outbox, type PublicEvent, enqueueEvents, newEventId } from './publish.ts'
import { type StateRow, changeStates, deleteStatesOf, insertStates, keyOf, listStates } from './server-states.queries.ts'
import { type WebhookRow, listEnabledWith, lockEnabled, updateWebhook } from './webhooks.queries.ts'

const LIVE_EVENTS: readonly PublicEventType[] = [
  'server.online',
  'server.offline',
  'server.listed',
  'server.unlisted',
  'players.threshold',
  'address.bound',
  'credential.shared',
]
/** Changes per transaction. */
const BATCH_SIZE = 500
/** Less than a millisecond, so that announces don't wait for a look at all servers. */
const SERVERS_PER_SLICE = 500

interface Change {
  /** Undefined for the inbox of the owner. */
  readonly webhook: WebhookRow | undefined
  readonly previous: StateRow | undefined
  readonly next: StateRow
  readonly events: readonly PublicEvent[]
}

export interface InboxEvent extends PublicEvent {
  /** Whether the server was listed before, at any time. */
  readonly wasListed: boolean
}

/** Writes notifications. Returns the notified users. */
type NotifyInbox = (trx: Db, events: readonly InboxEvent[]) => Promise<readonly string[]>

type Parts = Pick<Deps, 'db' | 'env' | 'clock'> & Outbox

export class ServerWatcher {
  readonly #deps: Parts
  readonly #registry: Pick<Registry, 'all'>
  readonly #lease: Pick<Lease, 'term'>
  readonly #notifyInbox: NotifyInbox
  /** In memory, so that a look without changes reads only the webhooks. Undefined if they must be read. */
  #states: Map<string, StateRow> | undefined
  /** Of which webhooks and term the states are. */
  #version = ''

  constructor(deps: Parts, registry: Pick<Registry, 'all'>, lease: Pick<Lease, 'term'>, notifyInbox: NotifyInbox) {
    this.#deps = deps
    this.#registry = registry
    this.#lease = lease
    this.#notifyInbox = notifyInbox
  }

  /** The job. Returns the users with new notifications. */
  async run(): Promise<readonly string[]> {
    const { db, clock, env } = this.#deps
    const webhooks = await listEnabledWith(db, LIVE_EVENTS)
    const states = await this.#loadStates(webhooks)
    // A failure leaves them undefined, so the next run reads them.
    this.#states = undefined
    const look = { ...readClocks(clock), ttlMs: env.ANNOUNCE_TTL_SECONDS * 1000 }
    const changes = await this.#compare(webhooks, states, look)
    const notified = new Set<string>()
    let published = 0
    for (let first = 0; first < changes.length; first += BATCH_SIZE) {
      const batch = await this.#publish(changes.slice(first, first + BATCH_SIZE), look)
      for (const userId of batch.notified) notified.add(userId)
      published += batch.published
    }
    for (const { next } of changes) states.set(keyOf(next), next)
    // Otherwise another node was faster or something was just deleted, so the next run reads them.
    if (published === changes.length) this.#states = states
    return [...notified]
  }

  /** Reads them again if this node got the lease again, or if webhooks started to watch. */
  async #loadStates(webhooks: readonly WebhookRow[]): Promise<Map<string, StateRow>> {
    const version = [this.#lease.term, ...webhooks.map(({ id, watching_since: since }) => `${id} ${since.getTime()}`).toSorted()].join()
    if (this.#version !== version) this.#states = undefined
    this.#version = version
    return this.#states ?? listStates(this.#deps.db)
  }

  async #compare(webhooks: readonly WebhookRow[], states: ReadonlyMap<string, StateRow>, look: Look): Promise<Change[]> {
    const byOwner = Map.groupBy(webhooks, (webhook) => webhook.owner_id)
    const changes: Change[] = []
    let seen = 0
    for (const server of this.#registry.all()) {
      seen += 1
      if (seen % SERVERS_PER_SLICE === 0) await yieldToEventLoop()
      const watching = (byOwner.get(server.fields.ownerId) ?? []).filter((webhook) => isChosen(webhook, server))
      for (const webhook of [undefined, ...watching]) {
        const key = keyOf({ webhook_id: webhook?.id ?? null, server_id: server.publicId })
        const change = changeOf(webhook, server, states.get(key), look)
        if (change !== undefined) changes.push(change)
      }
    }
    return changes
  }

  async #publish(changes: readonly Change[], look: Look): Promise<{ published: number; notified: readonly string[] }> {
    return transaction(this.#deps.db, async (trx) => {
      const enabled = await lockEnabled(trx, [...new Set(changes.flatMap(({ webhook }) => webhook?.id ?? []))])
      const keys = await changeStates(
        trx,
        changes.filter(({ webhook }) => webhook === undefined || enabled.has(webhook.id)),
      )
      const applied = changes.filter(({ next }) => keys.has(keyOf(next)))
      const at = new Date(look.now)
      const outgoing = applied.flatMap(({ webhook, events }) =>
        webhook === undefined
          ? []
          : events.flatMap((event) => (webhook.events.includes(event.type) ? [{ webhook, event, eventId: newEventId(), at }] : [])),
      )
      await enqueueEvents(trx, this.#deps, outgoing)
      const forInbox = applied.filter(({ webhook }) => webhook === undefined)
      const notified = await this.#notifyInbox(
        trx,
        forInbox.flatMap(({ events, previous }) => events.map((event) => ({ ...event, wasListed: previous?.is_listed === true }))),
      )
      return { published: applied.length, notified }
    })
  }
}

const isChosen = ({ server_ids: ids }: WebhookRow, { publicId }: ServerRecord) => ids.length === 0 || ids.includes(publicId)

/** The new state and its events. Undefined if nothing changed. */
function changeOf(webhook: WebhookRow | undefined, server: ServerRecord, previous: StateRow | undefined, look: Look): Change | undefined {
  const { ownerId } = server.fields
  const before = previous ?? (webhook === undefined ? NEVER_ANNOUNCED : startOf(webhook, server))
  const state = webhook === undefined ? nextInboxState(server, before, look) : nextState(server, before, webhook, look)
  const isOfOwner = previous === undefined || previous.user_id === ownerId
  if (previous !== undefined && isOfOwner && isSameState(previous, state)) return undefined
  return {
    webhook,
    previous,
    next: { webhook_id: webhook?.id ?? null, server_id: server.publicId, user_id: ownerId, ...state },
    events: before === undefined || !isOfOwner ? [] : eventsBetween(server, before, state, look),
  }
}

/**
 * A server that was created while its webhook was watching starts as one that never announced, so that its first listing is published. One
 * that its owner received since then starts at the first look.
 */
function startOf({ watching_since: watchingSince }: WebhookRow, server: ServerRecord): LiveState | undefined {
  return server.fields.createdAt < watchingSince.getTime() ? undefined : NEVER_ANNOUNCED
}

/** Only the first listing notifies. Later, a ban, an issue or a change of the server says why it is listed or not. */
function nextInboxState(server: ServerRecord, before: LiveState | undefined, look: Look): LiveState {
  const state = nextState(server, before, inboxThresholds(look), look)
  return { ...state, is_listed: before?.is_listed === true || state.is_listed }
}

/** The threshold of players is for webhooks only. */
const inboxThresholds = ({ ttlMs }: Look): Thresholds => ({
  offline_after_seconds: Math.max(WEBHOOK_LIMITS.offlineAfter.default, ttlMs / 1000),
  players_above: null,
})

/** A server that is deleted or gets another owner: webhooks start again with it. The state of an inbox names its owner. */
export const stopWatching = (trx: Db, publicId: string): Promise<void> => deleteStatesOf(trx, { server_id: publicId })

/**
 * Stores the present states of a webhook's servers, in the transaction that makes or changes it. Later changes are published, earlier ones
 * are not.
 */
export async function startWatching(trx: Db, webhook: WebhookRow, registry: Pick<Registry, 'get'>, look: Look): Promise<void> {
  await deleteStatesOf(trx, { webhook_id: webhook.id })
  await updateWebhook(trx, webhook.id, { watching_since: sql<Date>`now()` })
  const { owner_id: ownerId } = webhook
  if (ownerId === null || !webhook.enabled || !LIVE_EVENTS.some((type) => webhook.events.includes(type))) return
  const chosen = webhook.server_ids.length === 0 ? undefined : webhook.server_ids
  const servers = (await lockOwnServers(trx, ownerId, chosen)).flatMap((publicId) => registry.get(publicId) ?? [])
  await insertStates(
    trx,
    servers.map((server) => ({
      webhook_id: webhook.id,
      server_id: server.publicId,
      user_id: ownerId,
      ...nextState(server, undefined, webhook, look),
    })),
  )
}
