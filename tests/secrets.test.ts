/** Places where a credential must not appear. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as servers from '#contract/servers.ts'
import { announce, buildServer } from './factories.ts'
import { startApp } from './harness.ts'

test('a credential appears in no database row, no log and no response except the one that issues it', async () => {
  const app = await startApp({ LOG_LEVEL: 'trace', RATE_LIMITS: 'on' })
  const owner = await app.signIn('alice')
  const first = await buildServer(owner)
  const params = { id: first.public_id }
  expect((await announce(app, first.credential)).status).toBe(200)
  const second = (await owner.call(servers.reissue, { params, body: { grace_seconds: 3600 } })).data
  expect((await announce(app, first.credential)).status).toBe(200)
  expect((await announce(app, second.credential)).status).toBe(200)
  const third = (await owner.call(servers.reissue, { params })).data
  const rejected = await announce(app, first.credential)
  expect(rejected.status).toBe(401)
  await announce(app, `${third.credential.slice(0, -1)}x`)
  await announce(app, third.credential, { port: 'seven' })
  const responses = [
    await rejected.text(),
    (await owner.call(servers.list)).text,
    (await owner.call(servers.get, { params })).text,
    (await owner.call(servers.announces, { params })).text,
    await (await fetch(`${app.listUrl}/servers`)).text(),
    await (await fetch(`${app.listUrl}/servers/${first.public_id}`)).text(),
    await (await app.anonymous.fetch('/metrics')).text(),
  ].join('\n')
  await app.restart()
  const rows = await everyRow(app.db)
  const logs = app.allLogs()
  expect(logs).not.toBe('')
  for (const secret of [first.credential, second.credential, third.credential]) {
    // The random part alone is the secret.
    const random = secret.slice(12, 42)
    for (const place of [responses, rows, logs]) expect(place).not.toContain(random)
  }
  expect(rows).toContain(first.public_id)
})

async function everyRow(db: Awaited<ReturnType<typeof startApp>>['db']): Promise<string> {
  const tables = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const dumps = await Promise.all(
    tables.rows.map(({ name }) => sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db)),
  )
  return dumps.flatMap((dump) => dump.rows.map(({ row }) => row)).join('\n')
}
