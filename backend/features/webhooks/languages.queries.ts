/** The languages of Discord messages. */
import { type Language, PANEL_LANGUAGES } from '#contract/panel-languages.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { WebhookRow } from './webhooks.queries.ts'

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
