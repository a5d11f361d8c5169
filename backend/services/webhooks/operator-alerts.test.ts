/** What operators receive at their own webhook. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import * as protection from '#contract/protection/protection.ts'
import * as reports from '#contract/protection/reports.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { startApp } from '#tests/harness.ts'
import { makeDeliveriesDue } from '#tests/webhook-receiver.ts'

interface Alert {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** On this machine, over http: the operator may do that. */
async function startReceiver(status = () => 204): Promise<{ url: string; received: Alert[] }> {
  const received: Alert[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()) as Alert)
      response.writeHead(status()).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`, received }
}

test('a new protection issue reaches the operators, again after a failure', async () => {
  let status = 500
  const { url, received } = await startReceiver(() => status)
  const app = await startApp({ OPERATOR_WEBHOOK_URL: url })
  const owner = await app.newUser()
  const server = await buildServer(owner)
  const { id } = await raiseIssue(app, owner, { kind: 'UNREACHABLE', publicId: server.public_id })
  await expect.poll(() => received.length).toBe(1)
  await expect.poll(() => app.takeLogs().join('')).toContain('operator webhook failed, will retry')
  status = 204
  await expect
    .poll(async () => {
      await makeDeliveriesDue(app)
      return received.length
    })
    .toBe(2)
  expect(received[1]).toEqual(received[0])
  expect(received[0]).toMatchObject({
    type: 'operator.issue_opened',
    data: {
      server: { public_id: server.public_id, url: `http://localhost:0/admin/protection-issues/${id}/users/${owner.id}` },
      issue_id: id,
      kind: 'UNREACHABLE',
    },
  })
})

test('each counted report and the issue that reaches the owner are sent to the operators once, without authors and details', async () => {
  const { url, received } = await startReceiver()
  const app = await startApp({ OPERATOR_WEBHOOK_URL: url })
  const [owner, admin] = [await app.newUser(), await app.signIn('admin')]
  const { public_id: id, name, credential } = await buildServer(owner)
  await announce(app, credential)
  const people = [await app.newUser(), await app.newUser()]
  for (const user of people) {
    const body = { reason: 'fake_players', details: 'secret details' } as const
    expect((await user.call(reports.report, { params: { id }, body })).status).toBe(200)
  }
  const [issue] = (await admin.call(protection.issues, { query: { server_id: id } })).data.data
  await admin.call(protection.changeIssue, { params: { id: issue?.id ?? '' }, body: { reply: 'Please explain' } })
  const link = `http://localhost:0/admin/protection-issues/${issue?.id}/users/${owner.id}`
  const alert = (count: number) => ({
    type: 'operator.server_reported',
    data: {
      server: { public_id: id, name, url: link },
      issue_id: issue?.id,
      reason: 'fake_players',
      reports: count,
      summary: `Reason: fake players. Counted reports: ${count}.`,
    },
  })
  const opened = { type: 'operator.issue_opened', data: { server: { url: link }, issue_id: issue?.id, kind: 'PLAYER_REPORTS' } }
  await expect.poll(() => received).toMatchObject([alert(1), alert(2), opened])
  const sent = JSON.stringify(received)
  for (const text of [...people.map((user) => user.id), 'secret details']) expect(sent).not.toContain(text)
})

test('a job that begins to fail reaches the operators once', async () => {
  const { url, received } = await startReceiver()
  const app = await startApp({ OPERATOR_WEBHOOK_URL: url })
  await sql`alter table discord_url_limits rename to missing`.execute(app.db)
  await app.runJob('delete-old-deliveries')
  await app.runJob('delete-old-deliveries')
  await expect.poll(() => received).toMatchObject([{ type: 'operator.job_failed', data: { job: 'delete-old-deliveries' } }])
  expect(app.takeLogs()).toHaveLength(1)
})

test('without a URL nothing is queued', async () => {
  const app = await startApp()
  const owner = await app.newUser()
  await raiseIssue(app, owner, { kind: 'UNREACHABLE', publicId: (await buildServer(owner)).public_id })
  expect(await app.db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
})
