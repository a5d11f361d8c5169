/** Discord's limit of messages per webhook. All webhooks and nodes that send to the same one share a row. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { readDiscordWebhookUrl } from '#contract/webhooks/webhooks.ts'
import type { Db } from '#backend/platform/database/open.ts'

const MAX_MESSAGES = 30
const WINDOW_SECONDS = 60
/** The longest pause that Discord can ask for. */
const MAX_BLOCK_SECONDS = 86_400

/** One webhook has many spellings, such as other hosts, versions and threads. */
const digestOf = (url: string) => hash('sha256', readDiscordWebhookUrl(url)?.id ?? url, 'buffer')

/** Takes one of the messages. Returns undefined, or until when to wait. The window slides, so no minute has more than 30. */
export async function takeDiscordSlot(db: Db, url: string): Promise<Date | undefined> {
  const digest = digestOf(url)
  await sql`insert into discord_url_limits (url_digest) values (${digest}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ taken: boolean; free_at: Date }>`
    with current as (
      select url_digest, sent_at, greatest(
        blocked_until, case when cardinality(sent_at) >= ${MAX_MESSAGES} then sent_at[1] + make_interval(secs => ${WINDOW_SECONDS}) end) as free_at
      from discord_url_limits where url_digest = ${digest} for update
    ), taken as (
      update discord_url_limits l set sent_at = (l.sent_at || clock_timestamp())[greatest(1, cardinality(l.sent_at) + 2 - ${MAX_MESSAGES}):]
      from current c where l.url_digest = c.url_digest and (c.free_at is null or c.free_at <= clock_timestamp())
      returning 1
    )
    select exists (select from taken) as taken, free_at from current`.execute(db)
  const [row] = rows
  return row === undefined || row.taken ? undefined : row.free_at
}

/** Discord itself asked to wait. Returns until when. */
export async function blockDiscordUrl(db: Db, url: string, seconds = WINDOW_SECONDS): Promise<Date> {
  const { rows } = await sql<{ blocked_until: Date }>`
    update discord_url_limits
    set blocked_until = greatest(blocked_until, now() + make_interval(secs => ${Math.min(seconds, MAX_BLOCK_SECONDS)}))
    where url_digest = ${digestOf(url)} returning blocked_until`.execute(db)
  return rows[0]?.blocked_until ?? new Date(0)
}
