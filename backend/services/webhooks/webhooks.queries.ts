import { type Insertable, type Selectable, type UpdateObject, sql } from 'kysely'
import { type Language, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import type { PublicEventType } from '#contract/events/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

export type WebhookRow = Selectable<Tables['webhooks']>

/** How long a previous secret still signs. */
const PREVIOUS_SECRET_HOURS = 24

export function listWebhooksOf(db: Db, ownerId: string): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('id').execute()
}

export function findWebhook(db: Db, ownerId: string, id: string) {
  return db.selectFrom('webhooks').selectAll().where('owner_id', '=', ownerId).where('id', '=', id).executeTakeFirst()
}

/** Prevents the deletion of the enabled ones among these webhooks. Returns their IDs. */
export async function lockEnabled(trx: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const query = trx.selectFrom('webhooks').select('id').where('id', 'in', ids).where('enabled', '=', true)
  return new Set((await query.orderBy('id').forKeyShare().execute()).map(({ id }) => id))
}

export function insertWebhook(trx: Db, row: Insertable<Tables['webhooks']>): Promise<WebhookRow> {
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

/** Enabled webhooks that are subscribed to any of these types. */
export function listEnabledWith(db: Db, types: readonly PublicEventType[]): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('enabled', '=', true)
    .where(sql<boolean>`events && ${[...types]}::text[]`)
    .execute()
}

/** The languages that the owners of these Discord webhooks have chosen, by webhook. */
export async function listLanguages(db: Db, webhooks: readonly Pick<WebhookRow, 'id' | 'kind'>[]): Promise<Map<string, Language>> {
  const ids = webhooks.filter(({ kind }) => kind === 'discord').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhooks as w')
    .innerJoin('preferences as p', 'p.user_id', 'w.owner_id')
    .select(['w.id', 'p.language'])
    .where('w.id', 'in', ids)
    .execute()
  return new Map(
    rows.flatMap(({ id, language }) => {
      const known = PANEL_LANGUAGES.find((code) => code === language)
      return known === undefined ? [] : [[id, known] as const]
    }),
  )
}
