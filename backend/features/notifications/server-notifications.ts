/**
 * Notifies owners of changes of their live servers. Compares the list with what each owner was last told, and a condition in the database
 * makes one node write each notification.
 */
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { WEBHOOK_LIMITS } from '#contract/webhooks.ts'
import { type Look, NEVER_ANNOUNCED, eventsBetween, isSameState, nextState } from '#backend/features/webhooks/live-state.ts'
import { type NewNotification, notify } from './notifications.ts'
import { type ServerState, changeStates, listStates } from './server-states.queries.ts'

/** A node that did not run for this long reads the states again, because another one may have changed them. */
const RELOAD_AFTER_MS = 30_000
const BATCH_SIZE = 500

interface Change {
  readonly previous: ServerState | undefined
  readonly next: ServerState
  readonly notifications: readonly NewNotification[]
}

export class ServerNotifications {
  readonly #deps: Pick<Deps, 'db' | 'env' | 'clock'>
  readonly #registry: Pick<Registry, 'all'>
  /** By public ID, so that a look without changes needs no query. Undefined if they must be read. */
  #states: Map<string, ServerState> | undefined
  #ranAt = 0

  constructor(deps: Pick<Deps, 'db' | 'env' | 'clock'>, registry: Pick<Registry, 'all'>) {
    this.#deps = deps
    this.#registry = registry
  }

  /** The job. Returns the notified users. */
  async run(): Promise<readonly string[]> {
    const { db, clock, env } = this.#deps
    if (clock.uptime() - this.#ranAt > RELOAD_AFTER_MS) this.#states = undefined
    this.#ranAt = clock.uptime()
    const states = (this.#states ??= await loadStates(db))
    const look = { now: clock.now(), ttlMs: env.ANNOUNCE_TTL_SECONDS * 1000 }
    const changes: Change[] = []
    for (const server of this.#registry.all()) {
      const change = changeOf(server, states.get(server.publicId), look)
      if (change !== undefined) changes.push(change)
    }
    const notified = new Set<string>()
    for (let first = 0; first < changes.length; first += BATCH_SIZE)
      for (const userId of await this.#apply(changes.slice(first, first + BATCH_SIZE))) notified.add(userId)
    return [...notified]
  }

  async #apply(changes: readonly Change[]): Promise<readonly string[]> {
    const { changedIds, notified } = await transaction(this.#deps.db, async (trx) => {
      const ids = await changeStates(trx, changes)
      const applied = changes.filter(({ next }) => ids.has(next.server_id))
      return {
        changedIds: ids,
        notified: await notify(
          trx,
          applied.flatMap(({ notifications }) => notifications),
        ),
      }
    })
    for (const { next } of changes) if (changedIds.has(next.server_id)) this.#states?.set(next.server_id, next)
    // Another node was faster, or a server was just deleted.
    if (changedIds.size < changes.length) this.#states = undefined
    return notified
  }
}

async function loadStates(db: Db): Promise<Map<string, ServerState>> {
  return new Map((await listStates(db)).map((state) => [state.server_id, state]))
}

/** Undefined if nothing changed. */
function changeOf(server: ServerRecord, previous: ServerState | undefined, look: Look): Change | undefined {
  const { ownerId } = server.fields
  const isOfOwner = previous === undefined || previous.user_id === ownerId
  const before = { ...NEVER_ANNOUNCED, ...previous }
  const next = nextState(server, before, thresholdsOf(look), look)
  if (previous !== undefined && isOfOwner && isSameState(before, next)) return undefined
  const { is_above: _, ...state } = next
  const events = isOfOwner ? eventsBetween(server, before, next, look) : []
  return {
    previous,
    next: { server_id: server.publicId, user_id: ownerId, ...state },
    notifications: events.map(({ ownerId: userId, ...event }) => ({ userId, ...event })),
  }
}

/** The threshold of players is for webhooks only. */
const thresholdsOf = ({ ttlMs }: Look) => ({
  offline_after_seconds: Math.max(WEBHOOK_LIMITS.offlineAfter.default, ttlMs / 1000),
  players_above: null,
})
