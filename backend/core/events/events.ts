/** Domain events: each change records one in its transaction. `app/subscribers.ts` has the reactions. */
import type { Action, ActorRole } from '#contract/events/events.ts'
import { nameOfActingKey } from '#backend/platform/acting-key.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { afterCommit, databaseOf } from '#backend/platform/database/transaction.ts'

type Values = Readonly<Record<string, unknown>>

/** Too frequent for a row in the audit log. */
export const UNRECORDED_TYPES = ['ISSUE_REPEATED'] as const
export type EventType = Action | (typeof UNRECORDED_TYPES)[number]

export interface DomainEvent {
  readonly action: EventType
  readonly as: ActorRole
  /** Null for the system. */
  readonly actorId: string | null
  /** The owner of the affected account or server. */
  readonly ownerId: string | null
  /** The other user involved. */
  readonly otherId?: string
  readonly server?: { readonly public_id: string; readonly name: string }
  /** Only changed fields, never secrets. */
  readonly before?: Values
  readonly after?: Values
  /** The user whose change the system reacted to. They are not notified. Not stored. */
  readonly causedBy?: string | null | undefined
  /** Benefits that the owner can use now, and those that they no longer can. Not stored. */
  readonly gained?: readonly string[]
  readonly lost?: readonly string[]
  /** The issue that a report counts in, its owner, and how many reports it counts now. Not stored. */
  readonly countedIn?: { readonly issueId: string; readonly ownerId: string; readonly reports: number } | undefined
  /** Public ids of other servers whose listing changes. Not stored. */
  readonly servers?: readonly string[]
}

export type EventActor = Pick<DomainEvent, 'as' | 'actorId'>

export const BY_SYSTEM: EventActor = { as: 'system', actorId: null }

/** A user acting on their own account or servers. */
export const bySelf = (userId: string) => ({ as: 'self', actorId: userId, ownerId: userId }) as const

export const byAdministrator = (adminId: string) => ({ as: 'administrator', actorId: adminId }) as const

export interface EventHandler {
  /** Runs in the transaction of the change, before the event's row is written. */
  inTransaction(trx: Db, event: DomainEvent): Promise<void>
  /** Runs after the commit, with all events of the transaction in order. Never throws. */
  dispatch(events: readonly DomainEvent[]): Promise<void>
}

const handlers = new WeakMap<Db, EventHandler>()
const recorded = new WeakMap<Db, DomainEvent[]>()

/** Sets the event handler of this database. Without one (command line), events are only written. */
export function handleEvents(db: Db, handler: EventHandler): void {
  handlers.set(db, handler)
}

/**
 * Runs `inTransaction` for each event, then writes its row, all in this transaction. `dispatch` runs after the commit, before
 * `transaction()` returns.
 */
export async function recordEvent(trx: Db, ...events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return
  const handler = handlers.get(databaseOf(trx))
  if (handler !== undefined) {
    const all = recorded.get(trx) ?? []
    if (all.length === 0) afterCommit(trx, () => handler.dispatch(all))
    recorded.set(trx, all)
    for (const event of events) {
      all.push(event)
      await handler.inTransaction(trx, event)
    }
  }
  await insertRows(trx, events)
}

/** A row has eleven parameters; a statement can have 65,535. */
const ROWS_PER_STATEMENT = 1000

async function insertRows(trx: Db, events: readonly DomainEvent[]): Promise<void> {
  const rows = events.filter(({ action }) => !UNRECORDED_TYPES.some((type) => type === action)).map(rowOf)
  for (let first = 0; first < rows.length; first += ROWS_PER_STATEMENT)
    await trx
      .insertInto('activity')
      .values(rows.slice(first, first + ROWS_PER_STATEMENT))
      .execute()
}

function rowOf({ action, as, actorId, ownerId, otherId, server, before, after }: DomainEvent) {
  return {
    action,
    role: as,
    actor_id: actorId,
    owner_id: ownerId,
    other_id: otherId ?? null,
    server_id: server?.public_id ?? null,
    // A report names another user's server, and that name must not outlive its owner's erasure.
    server_name: action === 'SERVER_REPORTED' ? null : (server?.name ?? null),
    api_key_name: nameOfActingKey(actorId),
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  }
}

/** The fields of `next` that differ from `row`, before and after; undefined if nothing changes. Leaves out undefined fields of `next`. */
export function diff(row: Values, next: Values): { before: Values; after: Values } | undefined {
  const given = Object.keys(next).filter((field) => next[field] !== undefined)
  const changed = given.filter((field) => JSON.stringify(row[field] ?? null) !== JSON.stringify(next[field]))
  if (changed.length === 0) return undefined
  const pick = (from: Values) => Object.fromEntries(changed.map((field) => [field, from[field] ?? null]))
  return { before: pick(row), after: pick(next) }
}
