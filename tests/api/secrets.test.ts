/** Places where a credential or an API key must not appear. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as apiKeys from '#contract/users/api-keys.ts'
import { exportData } from '#contract/users/account.ts'
import * as servers from '#contract/servers/servers.ts'
import { announce, buildApiKey, buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'

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

test('an API key appears in no database row, no log and no response except the one that issues it', async () => {
  const app = await startApp({ LOG_LEVEL: 'trace', RATE_LIMITS: 'on' })
  const user = await app.signIn('alice')
  const [first, second] = [await buildApiKey(user, 'servers:read', 'servers:write'), await buildApiKey(user, 'servers:read')]
  const program = app.withKey(first.key)
  const answers = [
    await program.call(servers.list),
    await program.call(apiKeys.list),
    await app.withKey(`${first.key.slice(0, -1)}x`).call(servers.list),
    // Wrong places: the address, the body and a parameter.
    await user.call(servers.get, { params: { id: first.key } }),
    await program.call(servers.create, { body: { name: first.key, key: first.key } as { name: string } }),
  ]
  const fetched = [
    await program.fetch(`/api/users/tokens?key=${first.key}`),
    await app.anonymous.fetch(`/${first.key}`),
    await app.anonymous.fetch('/api/leaks', {
      method: 'POST',
      body: JSON.stringify([{ token: second.key, url: `https://a.example/${second.key}` }]),
    }),
    await user.fetch('/api/users/tokens', { headers: { referer: `https://a.example/${first.key}`, authorization: `Basic ${first.key}` } }),
    await fetch(`${app.listUrl}/announce`, { method: 'POST', headers: { authorization: `Bearer ${first.key}` } }),
  ]
  await user.call(apiKeys.revoke, { params: { id: first.id } })
  const responses = [
    ...answers.map(({ text }) => text),
    ...(await Promise.all(fetched.map((answer) => answer.text()))),
    (await program.call(servers.list)).text,
    (await user.call(apiKeys.list)).text,
    (await user.call(activity.ofAccount)).text,
    (await user.call(exportData)).text,
    await (await app.anonymous.fetch('/metrics')).text(),
  ].join('\n')
  await app.restart()
  const [rows, logs] = [await everyRow(app.db), app.allLogs()]
  for (const { key } of [first, second]) for (const place of [responses, rows, logs]) expect(place).not.toContain(key.slice(13, 43))
  expect(rows).toContain(first.prefix)
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
