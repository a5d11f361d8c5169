/**
 * Notifies owners of changes of their live servers. Compares the list with the states that owners were last notified of. A condition
 * in the database makes one node write each notification.
 */
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { PublicEventType } from '#contract/public-events.ts'
import { WEBHOOK_LIMITS } from '#contract/webhooks.ts'
import { type Look, NEVER_ANNOUNCED, eventsBetween, isSameState, nextState } from '#backend/features/webhooks/live-state.ts'
import { type NewNotification, notify } from './notifications.ts'
import { type ServerState, changeStates, listStates } from './server-states.queries.ts'

const BATCH_SIZE = 500

interface Change {
  readonly previous: ServerState | undefined
  readonly next: ServerState
  readonly notifications: readonly NewNotification[]
}

type Parts = Pick<Deps, 'db' | 'env' | 'clock'>

export class ServerNotifications {
  readonly #deps: Parts
  readonly #registry: Pick<Registry, 'all'>
  readonly #lease: Pick<Lease, 'term'>
  /** By public ID, so that a look without changes needs no query. Undefined if they must be read. */
  #states: Map<string, ServerState> | undefined
  #term = 0

  constructor(deps: Parts, registry: Pick<Registry, 'all'>, lease: Pick<Lease, 'term'>) {
    this.#deps = deps
    this.#registry = registry
    this.#lease = lease
  }

  /** The job. Returns the notified users. */
  async run(): Promise<readonly string[]> {
    const { db, clock, env } = this.#deps
    const { term } = this.#lease
    const states = this.#states !== undefined && this.#term === term ? this.#states : await loadStates(db)
    this.#term = term
    // A failure leaves them undefined, so the next run reads them.
    this.#states = undefined
    const look = { now: clock.now(), ttlMs: env.ANNOUNCE_TTL_SECONDS * 1000 }
    const changes: Change[] = []
    for (const server of this.#registry.all()) {
      const change = changeOf(server, states.get(server.publicId), look)
      if (change !== undefined) changes.push(change)
    }
    const notified = new Set<string>()
    let applied = 0
    for (let first = 0; first < changes.length; first += BATCH_SIZE) {
      const batch = await applyChanges(db, changes.slice(first, first + BATCH_SIZE))
      for (const userId of batch.notified) notified.add(userId)
      applied += batch.applied
    }
    for (const { next } of changes) states.set(next.server_id, next)
    // Otherwise another node was faster or a server was just deleted, so the next run reads them.
    if (applied === changes.length) this.#states = states
    return [...notified]
  }
}

function applyChanges(db: Db, changes: readonly Change[]): Promise<{ applied: number; notified: readonly string[] }> {
  return transaction(db, async (trx) => {
    const ids = await changeStates(trx, changes)
    const applied = changes.filter(({ next }) => ids.has(next.server_id))
    const notified = await notify(
      trx,
      applied.flatMap(({ notifications }) => notifications),
    )
    return { applied: applied.length, notified }
  })
}

async function loadStates(db: Db): Promise<Map<string, ServerState>> {
  return new Map((await listStates(db)).map((state) => [state.server_id, state]))
}

/** Undefined if nothing changed. */
function changeOf(server: ServerRecord, previous: ServerState | undefined, look: Look): Change | undefined {
  const { ownerId } = server.fields
  const isOfOwner = previous === undefined || previous.user_id === ownerId
  const before = { ...NEVER_ANNOUNCED, ...previous }
  const seen = nextState(server, before, thresholdsOf(look), look)
  // Only the first listing notifies. Later, a ban, an issue or a change of the server says why it is listed or not.
  const next = { ...seen, is_listed: before.is_listed || seen.is_listed }
  if (previous !== undefined && isOfOwner && isSameState(before, next)) return undefined
  const { is_above: _, ...state } = next
  const events = isOfOwner ? eventsBetween(server, before, next, look) : []
  return {
    previous,
    next: { server_id: server.publicId, user_id: ownerId, ...state },
    notifications: events.map(({ ownerId: userId, ...event }) => ({
      userId,
      ...event,
      isRead: !before.is_listed && FIRST_NEWS.includes(event.type),
    })),
  }
}

/** Its owner just started the server for the first time and sees it come online. */
const FIRST_NEWS: readonly PublicEventType[] = ['server.listed', 'address.bound']

/** The threshold of players is for webhooks only. */
const thresholdsOf = ({ ttlMs }: Look) => ({
  offline_after_seconds: Math.max(WEBHOOK_LIMITS.offlineAfter.default, ttlMs / 1000),
  players_above: null,
})
