import { type Selectable, type UpdateObject, sql } from 'kysely'
import { m } from '#api-messages'
import type { PublicEventType } from '#contract/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'

export type WebhookRow = Selectable<Tables['webhooks']>
export type DeliveryRow = Selectable<Tables['webhook_deliveries']>

/** How long a previous secret still signs. */
const PREVIOUS_SECRET_HOURS = 24
const LOG_DAYS = 30
const LOG_ROWS = 100
/** Per webhook. */
const MAX_PENDING = 1000

export function listWebhooksOf(db: Db, ownerId: string): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('id').execute()
}

export function findWebhook(db: Db, ownerId: string, id: string) {
  return db.selectFrom('webhooks').selectAll().where('owner_id', '=', ownerId).where('id', '=', id).executeTakeFirst()
}

/** Prevents the deletion of an enabled webhook. Returns whether there is one. */
export async function lockEnabled(trx: Db, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', id)
    .where('enabled', '=', true)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

type NewRow = Omit<
  WebhookRow,
  | 'created_at'
  | 'watching_since'
  | 'disabled_reason'
  | 'previous_secret'
  | 'previous_secret_until'
  | 'older_secrets'
  | 'paused_until'
  | 'failing_since'
  | 'last_attempt_at'
  | 'last_status'
>

export function insertWebhook(trx: Db, row: NewRow): Promise<WebhookRow> {
  return trx.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateWebhook(trx: Db, id: string, columns: UpdateObject<Tables, 'webhooks'>): Promise<WebhookRow> {
  return trx.updateTable('webhooks').set(columns).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Each previous secret signs for its own day. */
export function replaceSecret(trx: Db, id: string, secret: string): Promise<WebhookRow> {
  return updateWebhook(trx, id, {
    secret,
    previous_secret: sql<string | null>`secret`,
    previous_secret_until: sql<Date>`now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS})`,
    older_secrets: sql<string>`case when previous_secret_until > now()
      then jsonb_build_array(jsonb_build_object('secret', previous_secret, 'until', previous_secret_until)) else '[]' end || (
        select coalesce(jsonb_agg(older), '[]') from jsonb_array_elements(older_secrets) older where (older ->> 'until')::timestamptz > now()
      )`,
  })
}

export async function deleteWebhook(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
}

export async function listOwnServerIds(trx: Db, ownerId: string, among: readonly string[]): Promise<string[]> {
  if (among.length === 0) return []
  const rows = await trx.selectFrom('servers').select('public_id').where('owner_id', '=', ownerId).where('public_id', 'in', among).execute()
  return rows.map((row) => row.public_id)
}

/** Enabled webhooks of these users that are subscribed to any of these types, with the database's time. Locks them against deletion. */
export function listSubscribed(trx: Db, ownerIds: readonly string[], types: readonly PublicEventType[]) {
  return trx
    .selectFrom('webhooks')
    .select(['id', 'owner_id', 'kind', 'events', 'server_ids', sql<Date>`clock_timestamp()`.as('at')])
    .where('owner_id', 'in', ownerIds)
    .where('enabled', '=', true)
    .where(sql<boolean>`events && ${[...types]}::text[]`)
    .orderBy('created_at')
    .forKeyShare()
    .execute()
}

/** Beyond 1,000 pending deliveries of a webhook, the oldest ones fail. Concurrent transactions may exceed that until the next one. */
export async function insertDeliveries(
  trx: Db,
  rows: readonly Pick<DeliveryRow, 'id' | 'webhook_id' | 'event_id' | 'event_type' | 'body'>[],
): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    .values(rows.map((row) => ({ ...row, next_attempt_at: sql<Date>`now()` })))
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

export function insertTestDelivery(
  trx: Db,
  row: Partial<DeliveryRow> & Pick<DeliveryRow, 'id' | 'webhook_id' | 'event_id' | 'event_type' | 'body'>,
) {
  const { request_headers: headers = {}, seq: _, ...columns } = row
  return trx
    .insertInto('webhook_deliveries')
    .values({ ...columns, request_headers: JSON.stringify(headers) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function listDeliveries(db: Db, webhookId: string): Promise<DeliveryRow[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('created_at', '>', sql<Date>`now() - make_interval(days => ${LOG_DAYS})`)
    .orderBy('seq', 'desc')
    .limit(LOG_ROWS)
    .execute()
}

/** A delivery that waits for an attempt, of an enabled webhook. */
export function findPending(db: Db, id: string) {
  return db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .select(['d.id', 'd.webhook_id', 'd.event_id', 'd.body', 'd.attempt', 'w.owner_id', 'w.kind', 'w.url'])
    .select(['w.secret', 'w.previous_secret', 'w.previous_secret_until', 'w.older_secrets'])
    .select(sql<Date | null>`case when w.paused_until > now() then w.paused_until end`.as('paused_until'))
    .where('d.id', '=', id)
    .where('d.state', '=', 'pending')
    .where('w.enabled', '=', true)
    .executeTakeFirst()
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

/** Lets this pending delivery and all that would be due before then wait until then. Returns them in order. */
export async function deferPending(trx: Db, webhookId: string, id: string, until: Date): Promise<{ id: string; webhook_id: string }[]> {
  const { rows } = await sql<{ id: string; webhook_id: string }>`
    with deferred as (
      update webhook_deliveries set next_attempt_at = ${until}
      where webhook_id = ${webhookId} and state = 'pending' and (next_attempt_at <= ${until} or id = ${id})
      returning id, webhook_id, seq
    ) select id, webhook_id from deferred order by seq`.execute(trx)
  return rows
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

/** Deletes what the log no longer shows. Pending deliveries stay. */
export async function deleteOldDeliveries(db: Db): Promise<void> {
  await sql`
    delete from webhook_deliveries where state <> 'pending' and created_at < now() - make_interval(days => ${LOG_DAYS})`.execute(db)
  await sql`
    delete from webhook_deliveries d using (
      select id, row_number() over (partition by webhook_id order by seq desc) as n from webhook_deliveries
    ) ranked where ranked.id = d.id and ranked.n > ${LOG_ROWS} and d.state <> 'pending'`.execute(db)
  await sql`delete from discord_url_limits where coalesce(sent_at[cardinality(sent_at)], '-infinity') < now() - interval '1 day'
    and coalesce(blocked_until, '-infinity') < now()`.execute(db)
}

/**
 * Overdue deliveries without a job, such as after the database was copied without the jobs. A job without its queue would never run: the clean-up
 * can delete a queue to which a job is just added.
 */
export async function listWithoutJob(trx: Db): Promise<{ id: string; webhook_id: string }[]> {
  const { rows } = await sql<{ id: string; webhook_id: string }>`
    select id, webhook_id from webhook_deliveries d
    where state = 'pending' and next_attempt_at < now() - interval '5 minutes'
      and not exists (select from graphile_worker.jobs j where j.key = 'delivery:' || d.id and j.queue_name is not null)
    order by seq limit 1000`.execute(trx)
  return rows
}

export async function countPending(db: Db): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from webhook_deliveries where state = 'pending'`.execute(db)
  return Number(rows[0]?.n)
}

/** Enabled webhooks that are subscribed to any of these types. */
export function listEnabledWith(db: Db, types: readonly PublicEventType[]): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('enabled', '=', true)
    .where(sql<boolean>`events && ${[...types]}::text[]`)
    .execute()
}

/**
 * Takes one of the 30 messages a minute that Discord allows per webhook. Returns undefined, or until when to wait.
 * The window slides, so no minute has more than 30.
 */
export async function takeDiscordSlot(db: Db, digest: Buffer, max: number, windowSeconds: number): Promise<Date | undefined> {
  await sql`insert into discord_url_limits (url_digest) values (${digest}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ taken: boolean; free_at: Date }>`
    with current as (
      select url_digest, sent_at, greatest(
        blocked_until, case when cardinality(sent_at) >= ${max} then sent_at[1] + make_interval(secs => ${windowSeconds}) end) as free_at
      from discord_url_limits where url_digest = ${digest} for update
    ), taken as (
      update discord_url_limits l set sent_at = (l.sent_at || clock_timestamp())[greatest(1, cardinality(l.sent_at) + 2 - ${max}):]
      from current c where l.url_digest = c.url_digest and (c.free_at is null or c.free_at <= clock_timestamp())
      returning 1
    )
    select exists (select from taken) as taken, free_at from current`.execute(db)
  const [row] = rows
  return row === undefined || row.taken ? undefined : row.free_at
}

/** Discord itself asked to wait. Returns until when. */
export async function blockDiscordUrl(db: Db, digest: Buffer, seconds: number): Promise<Date> {
  const { rows } = await sql<{ blocked_until: Date }>`
    update discord_url_limits set blocked_until = greatest(blocked_until, now() + make_interval(secs => ${seconds}))
    where url_digest = ${digest} returning blocked_until`.execute(db)
  return rows[0]?.blocked_until ?? new Date(0)
}
