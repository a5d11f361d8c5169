/**
 * Publishes changes of live servers: online, offline, listed, players, bound address. Compares the list with the states that each webhook was
 * last notified of. A new webhook starts from the states when it was made.
 */
import type { PublicEventType } from '#contract/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { type LiveState, type Look, NEVER_ANNOUNCED, eventsBetween, isSameState, nextState } from './live-state.ts'
import { type PublicEvent, enqueueEvents, newEventId } from './publish.ts'
import { type StateRow, changeState, deleteStates, listStates, lockServersOf } from './server-states.queries.ts'
import { type WebhookRow, listEnabledWith, lockEnabled } from './webhooks.queries.ts'

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

/** What a webhook was last notified of, by the public ID of the server. */
interface LastStates {
  readonly watchingSince: number
  readonly states: Map<string, StateRow>
}

type Parts = Pick<Deps, 'db' | 'env' | 'clock'>

export class ServerAlerts {
  readonly #deps: Parts
  readonly #registry: Pick<Registry, 'all'>
  /** By webhook. In memory, so that a look without changes reads only the webhooks. */
  readonly #lastStates = new Map<string, LastStates>()
  readonly #lease: Pick<Lease, 'term'>
  #term = 0

  constructor(deps: Parts, registry: Pick<Registry, 'all'>, lease: Pick<Lease, 'term'>) {
    this.#deps = deps
    this.#registry = registry
    this.#lease = lease
  }

  /** The job. */
  async run(): Promise<void> {
    const { db, env, clock } = this.#deps
    const { term } = this.#lease
    if (this.#term !== term) this.#lastStates.clear()
    this.#term = term
    const webhooks = await listEnabledWith(db, LIVE_EVENTS)
    await this.#load(webhooks)
    const look: Look = { now: clock.now(), ttlMs: env.ANNOUNCE_TTL_SECONDS * 1000 }
    for (const [webhook, servers] of this.#serversOf(webhooks)) await this.#publish(webhook, servers, look)
  }

  /** Reads the states of webhooks that are new, or whose `watching_since` changed. */
  async #load(webhooks: readonly WebhookRow[]): Promise<void> {
    const current = new Map(webhooks.map((webhook) => [webhook.id, webhook.watching_since.getTime()]))
    for (const [id, { watchingSince }] of this.#lastStates) if (current.get(id) !== watchingSince) this.#lastStates.delete(id)
    const missing = [...current.keys()].filter((id) => !this.#lastStates.has(id))
    if (missing.length === 0) return
    for (const id of missing) this.#lastStates.set(id, { watchingSince: current.get(id) ?? 0, states: new Map() })
    for (const state of await listStates(this.#deps.db, missing)) this.#lastStates.get(state.webhook_id)?.states.set(state.server_id, state)
  }

  #serversOf(webhooks: readonly WebhookRow[]): Map<WebhookRow, ServerRecord[]> {
    const servers = new Map(webhooks.map((webhook) => [webhook, [] as ServerRecord[]]))
    if (webhooks.length === 0) return servers
    const webhooksByOwner = Map.groupBy(webhooks, (webhook) => webhook.owner_id)
    for (const server of this.#registry.all())
      for (const webhook of webhooksByOwner.get(server.fields.ownerId) ?? [])
        if (webhook.server_ids.length === 0 || webhook.server_ids.includes(server.publicId)) servers.get(webhook)?.push(server)
    return servers
  }

  async #publish(webhook: WebhookRow, servers: readonly ServerRecord[], look: Look): Promise<void> {
    const { db, env } = this.#deps
    const last = this.#lastStates.get(webhook.id)
    const states = last?.states ?? new Map<string, StateRow>()
    const changes = servers.flatMap((server) => changeOf(webhook, server, states.get(server.publicId), look) ?? [])
    if (changes.length > 0) {
      // A failure leaves them out, so the next run reads them.
      this.#lastStates.delete(webhook.id)
      const published = await transaction(db, (trx) => publishChanges(trx, { env, webhook, changes, at: new Date(look.now) }))
      for (const { next } of published) states.set(next.server_id, next)
      // Otherwise another node was faster or the webhook just changed, so the next run reads them.
      if (last !== undefined && published.length === changes.length) this.#lastStates.set(webhook.id, last)
    }
    const watched = new Set(servers.map(({ publicId }) => publicId))
    // Of servers that have another owner now.
    const left = [...states.keys()].filter((publicId) => !watched.has(publicId))
    if (left.length === 0) return
    await deleteStates(db, webhook.id, left)
    for (const publicId of left) states.delete(publicId)
  }
}

interface Publication extends Pick<Deps, 'env'> {
  readonly webhook: WebhookRow
  readonly changes: readonly Change[]
  readonly at: Date
}

/** Returns the changes that no other node has published. */
async function publishChanges(trx: Db, { env, webhook, changes, at }: Publication): Promise<readonly Change[]> {
  if (!(await lockEnabled(trx, webhook.id))) return []
  const published: Change[] = []
  // Two nodes lock in the same order.
  const ordered = changes.toSorted((a, b) => (a.next.server_id < b.next.server_id ? -1 : 1))
  for (const change of ordered) {
    const { previous, next, events } = change
    if (!(await changeState(trx, previous, next))) continue
    published.push(change)
    const wanted = events.filter(({ type }) => webhook.events.includes(type))
    await enqueueEvents(
      trx,
      env,
      wanted.map((event) => ({ webhook, event, eventId: newEventId(), at })),
    )
  }
  return published
}

/** Stores the present states of a webhook's servers, in the transaction that makes or changes it. Later changes are published. */
export async function storeBaseline(trx: Db, webhook: WebhookRow, registry: Pick<Registry, 'get'>, look: Look): Promise<void> {
  if (!webhook.enabled || !LIVE_EVENTS.some((type) => webhook.events.includes(type))) return
  for (const publicId of await lockServersOf(trx, webhook.owner_id, webhook.server_ids)) {
    const server = registry.get(publicId)
    if (server === undefined) continue
    await changeState(trx, undefined, { webhook_id: webhook.id, server_id: publicId, ...nextState(server, undefined, webhook, look) })
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

/**
 * A server that was created while its webhook was watching starts as one that never announced, so that its first listing is published. One
 * that its owner received since then starts at the first look.
 */
function startOf({ watching_since: watchingSince }: WebhookRow, server: ServerRecord): LiveState | undefined {
  return server.fields.createdAt < watchingSince.getTime() ? undefined : NEVER_ANNOUNCED
}
