/** Fills an empty database: plays two months of the past by the program's own rules, and adds what only a running program collects. */
import { sql } from 'kysely'
import { systemClock } from '#backend/platform/clock.ts'
import { type Database, connect } from '#backend/platform/database/open.ts'
import type { Env } from '#backend/platform/env.ts'
import type { Log } from '#backend/platform/log.ts'
import { notificationsOf } from '#backend/app/notifications.ts'
import { publicEventsOf } from '#backend/app/publications.ts'
import { createSubscribers } from '#backend/app/subscribers.ts'
import { handleEvents } from '#backend/core/events/events.ts'
import { notify } from '#backend/services/notifications/notifications.ts'
import { publishEvents } from '#backend/services/webhooks/publish.ts'
import { WebhookSender } from '#backend/services/webhooks/webhook-sender.ts'
import { scenesOfAccounts } from './accounts.ts'
import { type Demo, castFor } from './cast.ts'
import { storeHistory } from './history.ts'
import { scenesOfIncidents } from './incidents.ts'
import { storeLiveStates } from './live-states.ts'
import { play } from './story.ts'

export async function fill({ connection }: Pick<Database, 'connection'>, env: Env, log: Log): Promise<Demo> {
  // Thousands of small transactions: after a crash, one starts over with an empty folder.
  const db = connect({ ...connection, options: '-c synchronous_commit=off' }, log)
  const demo = castFor(db, env, systemClock.now())
  const webhooks = new WebhookSender({ db, env, log, clock: systemClock, postPublic: reply }, () => undefined)
  handleEvents(db, subscribersOf(env, log, webhooks))
  await play(db, [...scenesOfAccounts(demo), ...scenesOfIncidents(demo)])
  // Otherwise the running program would send them.
  do await webhooks.measureBacklog()
  while (webhooks.backlog.pending > 0)

  await storeHistory(demo)
  await storeLiveStates(demo)
  await finish(demo)
  await db.destroy()
  return demo
}

/** Nothing leaves this machine: the replies of the webhooks are made up. */
const reply = (url: string) =>
  Promise.resolve({
    ...(new URL(url).host === 'discord.com'
      ? { status: 404, body: Buffer.from('{"message": "Unknown Webhook", "code": 10015}') }
      : { status: 200, body: Buffer.from('ok') }),
    headers: {},
  })

/** As in the program, but no list and no panel is open. */
function subscribersOf(env: Env, log: Log, { queue }: WebhookSender) {
  return createSubscribers(log, {
    async publish(trx, event) {
      await publishEvents(trx, { env, queue }, publicEventsOf(event))
      return notify(trx, notificationsOf(event))
    },
    refreshList: () => Promise.resolve(),
    live: {
      invalidate: () => undefined,
      invalidateManagers: () => Promise.resolve(),
      follow: () => undefined,
      disconnect: () => undefined,
    },
  })
}

/** People signed in recently and have read what is older than two days. Addresses were bound with the first announce. The planner knows the new tables. */
async function finish({ db, people }: Demo): Promise<void> {
  for (const [index, { id }] of people.entries())
    await sql`update users set signed_in_at = now() - ${(index * index) % 40} * interval '9 hours' where id = ${id}`.execute(db)
  await sql`update notifications set read_at = created_at + interval '1 hour' where created_at < now() - interval '2 days'`.execute(db)
  await sql`
    update credential_addresses a set bound_at = c.issued_at + interval '5 minutes' from credentials c where c.id = a.credential_id`.execute(
    db,
  )
  await sql`analyze`.execute(db)
}
