/** `GET /api/admin/status`: what it shows of each part, and that nothing that hangs delays it. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Status, status } from '#contract/status/status.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { RELEASE } from '#backend/platform/version.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { startHttpsHost } from '#tests/https-host/https-host.ts'

const MINUTE_MS = 60_000
const OTHER_NODE = '11111111-2222-4333-8444-555555555555'

const read = async (admin: SignedInUser): Promise<Status> => (await admin.call(status)).data
const jobIn = ({ jobs }: Status, name: string) => jobs.find((job) => job.name === name)

/** Accepts connections and never answers. */
async function hangingPort(): Promise<number> {
  const server = createServer()
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

describe('one node', () => {
  let app: TestApp
  let admin: SignedInUser

  beforeAll(async () => {
    app = await startApp()
    admin = await app.signIn('admin')
  })

  test('shows what is fine, and that there is no backup', async () => {
    const isChecked = async () => {
      const { database, erasures } = await read(admin)
      return database.version !== null && erasures.due === 0
    }
    await expect.poll(isChecked).toBe(true)
    const found = await read(admin)
    expect(found.nodes).toEqual([
      expect.objectContaining({ state: 'fine', is_this_node: true, runs_jobs: true, release: RELEASE, clock_offset_seconds: 0 }),
    ])
    expect(found.nodes[0]?.list_age_seconds).toBeLessThan(5)
    expect(found.database).toMatchObject({ state: 'fine', advice: null, size_bytes: expect.any(Number) })
    expect(found.storage).toEqual([expect.objectContaining({ state: 'fine', images: 'folder', images_answer: true })])
    expect(found.storage[0]?.free_bytes).toBeGreaterThan(0)
    expect([found.deliveries.state, found.file_deletions.state, found.erasures.state]).toEqual(['fine', 'fine', 'fine'])
    expect(found.jobs.filter(({ state }) => state !== 'fine')).toEqual([])
    expect(found.backup).toMatchObject({ state: 'watch', advice: expect.stringContaining('BACKUP_DIR'), configured: false })
    expect([found.signed_list, found.certificates]).toEqual([null, []])
  })

  test('advice is in the language of the request', async () => {
    const reply = await admin.fetch('/api/admin/status', { headers: { 'accept-language': 'de' } })
    const { data } = (await reply.json()) as { data: Status }
    expect(data.backup.advice).toContain('Es gibt keine tägliche Sicherung.')
  })

  test('a failing job shows its sentence, is urgent after ten minutes, and is fine after a success', async () => {
    await sql`alter table file_deletions rename to hidden`.execute(app.db)
    await app.runJob('delete-unused-images')
    const first = jobIn(await read(admin), 'delete-unused-images')
    expect(first).toMatchObject({ state: 'watch', failure: 'relation "file_deletions" does not exist' })
    app.clock.advance(11 * MINUTE_MS)
    await app.runJob('delete-unused-images')
    expect(jobIn(await read(admin), 'delete-unused-images')?.state).toBe('act')
    await sql`alter table hidden rename to file_deletions`.execute(app.db)
    await app.runJob('delete-unused-images')
    const last = jobIn(await read(admin), 'delete-unused-images')
    expect(last).toMatchObject({ state: 'fine', advice: null, failure: first?.failure })
    expect(app.takeLogs()).toEqual([expect.stringContaining('job failed, will retry')])
  })

  test('a job that does not run in time shows it', async () => {
    app.clock.advance(30 * MINUTE_MS)
    expect(jobIn(await read(admin), 'end-vanity-id-cooldowns')?.state).toBe('fine')
    expect(jobIn(await read(admin), 'expire-transfers')).toMatchObject({ state: 'act', advice: expect.stringContaining('in time') })
    await app.runJob('expire-transfers')
    expect(jobIn(await read(admin), 'expire-transfers')?.state).toBe('fine')
  })

  test('deletions that are long due show since when', async () => {
    await sql`insert into file_deletions (file, scheduled_at) values ('kept.png', now() - interval '12 hours')`.execute(app.db)
    app.clock.advance(MINUTE_MS)
    await expect
      .poll(async () => (await read(admin)).file_deletions)
      .toMatchObject({ state: 'act', due: 1, oldest_due_at: expect.any(String) })
    await sql`delete from file_deletions`.execute(app.db)
  })

  test('a webhook to which no node sends shows it, and one that is paused does not', async () => {
    const hook = async () => {
      const url = 'https://hooks.example.com/'
      return (await admin.call(webhooks.create, { body: { name: 'Mine', kind: 'standard', url, events: ['server.online'] } })).data.id
    }
    const [waiting, paused] = [await hook(), await hook()]
    await sql`update webhooks set paused_until = now() + interval '1 hour' where id = ${paused}`.execute(app.db)
    await app.db.transaction().execute(async (trx) => {
      // No node can claim it.
      await sql`select from webhooks where id = ${waiting} for no key update`.execute(trx)
      await sql`insert into webhook_deliveries (id, webhook_id, event_id, event_type, body, next_attempt_at)
        select gen_random_uuid(), id, 'e', 'test', '{}', now() - interval '2 minutes' from webhooks where owner_id is not null`.execute(
        app.db,
      )
      await app.runJob('measure-delivery-backlog')
      expect((await read(admin)).deliveries).toMatchObject({ state: 'watch', pending: 2, overdue: 1 })
    })
  })
})

test('the newest of the verified backups and the certificate of the list are shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-status-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const newest = new Date(Date.now() - MINUTE_MS).toISOString().replace(/\.\d+/, '')
  for (const at of ['2026-01-01T03:00:00Z', newest]) writeFileSync(join(folder, `muster-${at.replaceAll(/[-:]/g, '')}.tar.zst`), '')
  const port = await startHttpsHost((_, response) => response.end(), '127.0.0.1')
  const app = await startApp({ BACKUP_DIR: folder, MASTERLIST_PUBLIC_URL: `https://127.0.0.1:${port}` })
  const admin = await app.signIn('admin')
  await app.runJob('measure-backups')
  await expect.poll(async () => (await read(admin)).certificates[0]?.issuer).toBe('Test host')
  await expect.poll(async () => (await read(admin)).backup.newest_at).not.toBeNull()
  const { backup, certificates } = await read(admin)
  expect(backup).toMatchObject({ state: 'fine', configured: true, newest_at: newest.replace('Z', '.000Z') })
  expect(Date.parse(backup.next_at ?? '')).toBeGreaterThan(Date.now())
  expect(certificates).toEqual([
    expect.objectContaining({ state: 'watch', url: `https://127.0.0.1:${port}`, ends_at: '2120-01-01T00:00:00.000Z' }),
  ])
})

test('nothing that hangs delays the reply, and what hangs shows it', async () => {
  const port = await hangingPort()
  const app = await startApp(
    {
      MASTERLIST_PUBLIC_URL: `https://127.0.0.1:${port}`,
      IMAGES_URL: `http://127.0.0.1:${port}/bucket`,
      IMAGES_ACCESS_KEY_ID: 'key',
      IMAGES_SECRET_ACCESS_KEY: 'secret',
    },
    { isShared: true },
  )
  const admin = await app.signIn('admin')
  const timed = async () => {
    const began = performance.now()
    const found = await read(admin)
    expect(performance.now() - began).toBeLessThan(1000)
    return found
  }
  await expect
    .poll(async () => {
      const { storage, certificates } = await timed()
      return [storage[0]?.images_answer, storage[0]?.state, certificates[0]?.state]
    })
    .toEqual([false, 'act', 'watch'])
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table nodes in access exclusive mode`.execute(trx)
    expect((await timed()).nodes).toHaveLength(1)
  })
  app.takeLogs()
})

test('each node shows the others, one that is silent, and one of another release', async () => {
  const app = await startApp({}, { isShared: true })
  const admin = await app.signIn('admin')
  const node = await app.addNode()
  const shown = async (at: { readonly panelUrl: string }) =>
    (await read({ ...admin, ...admin.at(at), id: admin.id })).nodes.map(({ is_this_node: isThis, state, servers_online: servers }) => [
      isThis,
      state,
      servers,
    ])
  const both = [
    [true, 'fine', 0],
    [false, 'fine', 0],
  ]
  await expect.poll(() => shown(app)).toEqual(both)
  await expect.poll(() => shown(node)).toEqual(both)
  const running = (await read(admin)).jobs.filter(({ state }) => state !== 'fine')
  expect(running).toEqual([])
  await node.close()
  await sql`insert into nodes (id, version, heartbeat_at) values (${OTHER_NODE}, '1.2.0+old', clock_timestamp())`.execute(app.db)
  await expect
    .poll(() => shown(app))
    .toEqual([
      [true, 'fine', 0],
      [false, 'watch', null],
    ])
  await sql`update nodes set heartbeat_at = clock_timestamp() - interval '20 seconds' where id = ${OTHER_NODE}`.execute(app.db)
  const [, silent] = (await read(admin)).nodes
  expect(silent).toMatchObject({ name: OTHER_NODE, state: 'act', advice: expect.stringContaining('no heartbeats') })
})
