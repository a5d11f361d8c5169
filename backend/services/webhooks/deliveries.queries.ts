/** Deliveries: the queue of what webhooks will receive, and the log of what they received. */
import { type Selectable, type UpdateObject, sql } from 'kysely'
import { m } from '#api-messages'
import type { Db } from '#backend/platform/database/open.ts'
import { deleteInBatches } from '#backend/platform/database/sql.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { currentTraceparent } from '#backend/platform/trace.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'

export type DeliveryRow = Selectable<Tables['webhook_deliveries']>
export type NewDelivery = Pick<DeliveryRow, 'id' | 'webhook_id' | 'event_id' | 'event_type' | 'body'>

const LOG_ROWS = 100
/** Per webhook. */
const MAX_PENDING = 1000
/** Longer than an attempt takes. After this, another node sends what a dead one was sending. */
const CLAIM_SECONDS = 30

/** Beyond 1,000 pending deliveries of a webhook, the oldest ones fail. Concurrent transactions may exceed that until the next one. */
export async function insertDeliveries(trx: Db, rows: readonly NewDelivery[]): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    // Not now(), which is the start of the transaction: another one that began earlier may commit later.
    .values(rows.map((row) => ({ ...row, traceparent: currentTraceparent() ?? null, next_attempt_at: sql<Date>`clock_timestamp()` })))
    .execute()
  const webhookIds = [...new Set(rows.map((row) => row.webhook_id))]
  // Of two transactions that find the same excess, one updates it and the other doesn't wait.
  await sql`
    with excess as (
      select id from webhook_deliveries where id in (
        select oldest.id from unnest(${webhookIds}::uuid[]) as webhook (id) cross join lateral (
          select d.id from webhook_deliveries d where d.webhook_id = webhook.id and d.state = 'pending' order by d.seq desc offset ${MAX_PENDING}
        ) oldest
      ) and state = 'pending' for update skip locked
    )
    update webhook_deliveries d set state = 'failed', next_attempt_at = null, error = ${m.delivery_skipped({}, STORED)}
    from excess where d.id = excess.id`.execute(trx)
}

export type Pending = Awaited<ReturnType<typeof listNext>>[number]

/**
 * Claims webhooks that have a due delivery, those that waited longest first, and returns the next delivery of each. No other node sends for
 * them until `updateWebhook` ends the claim. @param isFailing whether to claim those whose last attempt failed, or the others.
 */
export async function claimDeliveries(db: Db, isFailing: boolean, max: number): Promise<Pending[]> {
  if (max <= 0) return []
  const { rows } = await sql<{ id: string }>`
    with due as (
      select w.id from webhooks w
      where w.enabled and (w.failing_since is not null) = ${isFailing}
        and (w.claimed_until is null or w.claimed_until <= now()) and (w.paused_until is null or w.paused_until <= now())
        and exists (select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at <= now())
      order by w.claimed_until nulls first limit ${max} for no key update skip locked
    )
    update webhooks w set claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}) from due where w.id = due.id returning w.id`.execute(
    db,
  )
  // A statement of its own, so that it sees what the previous claim ended with.
  return rows.length === 0
    ? []
    : listNext(
        db,
        rows.map(({ id }) => id),
      )
}

function listNext(db: Db, webhookIds: readonly string[]) {
  return db
    .selectFrom('webhooks as w')
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom('webhook_deliveries as d')
          .select(['d.id', 'd.webhook_id', 'd.event_id', 'd.body', 'd.attempt', 'd.traceparent'])
          .whereRef('d.webhook_id', '=', 'w.id')
          .where('d.state', '=', 'pending')
          .orderBy('d.next_attempt_at')
          .orderBy('d.seq')
          .limit(1)
          .as('next'),
      (join) => join.onTrue(),
    )
    .selectAll('next')
    .select([
      'w.owner_id',
      'w.kind',
      'w.url',
      'w.failing_since',
      'w.secret',
      'w.previous_secret',
      'w.previous_secret_until',
      'w.older_secrets',
    ])
    .where('w.id', 'in', webhookIds)
    .execute()
}

export function insertTestDelivery(trx: Db, row: Partial<DeliveryRow> & NewDelivery) {
  const { request_headers: headers = {}, seq: _, ...columns } = row
  return trx
    .insertInto('webhook_deliveries')
    .values({ ...columns, request_headers: JSON.stringify(headers) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A pending delivery of a paused webhook waits for the end of the pause. */
export function listDeliveries(db: Db, webhookId: string, days: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .selectAll('d')
    .select(sql<Date | null>`case when d.state = 'pending' then greatest(d.next_attempt_at, w.paused_until) end`.as('next_attempt_at'))
    .where('d.webhook_id', '=', webhookId)
    .where(sql<boolean>`(d.state = 'pending' or d.created_at > now() - make_interval(days => ${days}::integer))`)
    .orderBy('d.seq', 'desc')
    .limit(LOG_ROWS)
    .execute()
}

/** Changes a pending delivery. Returns whether it was pending. */
export async function updatePending(trx: Db, id: string, columns: UpdateObject<Tables, 'webhook_deliveries'>): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set(columns)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the pending deliveries of a webhook that is disabled. */
export async function dropPending(trx: Db, webhookId: string): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', next_attempt_at: null, error: m.delivery_disabled({}, STORED) })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .execute()
}

export function makePending(trx: Db, webhookId: string, id: string) {
  return trx
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', next_attempt_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteDelivery(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('webhook_deliveries').where('id', '=', id).execute()
}

/** Deletes what the log no longer shows. Pending deliveries stay. */
export async function deleteOldDeliveries(db: Db, days: number): Promise<void> {
  const isOld = sql`created_at < now() - make_interval(days => ${days}::integer)`
  const isExcess = sql`id in (
    select id from (select id, row_number() over (partition by webhook_id order by seq desc) as n from webhook_deliveries) ranked
    where n > ${LOG_ROWS})`
  for (const where of [isOld, isExcess]) await deleteInBatches(db, 'webhook_deliveries', sql`state <> 'pending' and ${where}`)
  await sql`delete from discord_url_limits where coalesce(sent_at[cardinality(sent_at)], '-infinity') < now() - interval '1 day'
    and coalesce(blocked_until, '-infinity') < now()`.execute(db)
}

/** `overdue`: working webhooks with a delivery that has been due for a minute, in which no node has sent for them. */
export async function countBacklog(db: Db): Promise<{ pending: number; overdue: number }> {
  const { rows } = await sql<{ pending: number; overdue: number }>`
    select (select count(*) from webhook_deliveries where state = 'pending')::int as pending,
      (select count(*) from webhooks w
        where w.enabled and w.failing_since is null and (w.paused_until is null or w.paused_until <= now() - interval '1 minute')
          and (w.claimed_until is null or w.claimed_until <= now() - interval '1 minute')
          and exists (select from webhook_deliveries d
            where d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at <= now() - interval '1 minute'))::int as overdue`.execute(
    db,
  )
  return rows[0] ?? { pending: 0, overdue: 0 }
}
