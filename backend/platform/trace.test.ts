/** Trace IDs: in the lines that a request causes, on both listeners, and in the deliveries of webhooks that it causes. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { send } from '#tests/list/send.ts'
import { buildWebhook, deliveriesOf } from '#tests/webhook-calls.ts'
import { type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

interface Line {
  readonly reqId?: string
  readonly job?: string
  readonly trace_id?: string
}

const isOfRequest = ({ reqId }: Line) => reqId !== undefined

/** Runs without a table, and returns the trace IDs of the lines that are logged. Jobs may fail meanwhile. */
async function failing(table: string, run: () => Promise<unknown>, isMeant = isOfRequest): Promise<(string | undefined)[]> {
  await sql`alter table ${sql.table(table)} rename to elsewhere`.execute(app.db)
  await run()
  await sql`alter table elsewhere rename to ${sql.id(table)}`.execute(app.db)
  const lines = app.takeLogs().map((line) => JSON.parse(line) as Line)
  return lines.filter(isMeant).map(({ trace_id: id }) => id)
}

const create = (traceparent?: string) => async () => {
  const user = await app.newUser()
  const headers = { 'content-type': 'application/json', ...(traceparent !== undefined && { traceparent }) }
  expect((await user.fetch('/api/users/tokens', { method: 'POST', headers, body: JSON.stringify({ name: 'Trace' }) })).status).toBe(500)
}

test('a line of a call to the panel has the trace ID of the caller', async () => {
  expect(await failing('servers', create(TRACEPARENT))).toEqual([TRACE_ID])
})

test.each([
  ['none', undefined],
  ['another version', `01-${TRACE_ID}-00f067aa0ba902b7-01`],
  ['a trace ID of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a parent ID of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
  ['capitals', TRACEPARENT.toUpperCase()],
  ['more than four parts', `${TRACEPARENT}-x`],
  ['two traces', `${TRACEPARENT}, ${TRACEPARENT}`],
])('a line of a call with %s has a new trace ID', async (_, traceparent) => {
  const [first = '', second] = [...(await failing('servers', create(traceparent))), ...(await failing('servers', create(traceparent)))]
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect([TRACE_ID, '0'.repeat(32), second]).not.toContain(first)
})

test('a line of a call to the list has the trace ID of the caller', async () => {
  const { public_id: id } = await buildServer(await app.newUser())
  const headers = { traceparent: TRACEPARENT }
  const read = () => send(`${app.listUrl}/servers/${id}/avg/1d`, { headers })
  expect(await failing('player_buckets', read)).toEqual([TRACE_ID])
})

test('a line outside of a request has none', async () => {
  const job = 'delete-expired-sign-ins'
  expect(
    await failing(
      'used_sign_in_states',
      () => app.runJob(job),
      (line) => line.job === job,
    ),
  ).toEqual([undefined])
})

test('a delivery of a webhook passes the trace of its call on, each time', async () => {
  const owner = await app.newUser()
  const receiver = host.open()
  receiver.answer({ status: 500 })
  const webhook = await buildWebhook(owner, { url: receiver.url, events: ['server.created'] })
  const headers = { 'content-type': 'application/json', traceparent: TRACEPARENT }
  expect((await owner.fetch('/api/users/tokens', { method: 'POST', headers, body: JSON.stringify({ name: 'Traced' }) })).status).toBe(200)
  await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
  await sql`update webhook_deliveries set next_attempt_at = now()`.execute(app.db)
  await app.runJob('send-due-deliveries')
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(receiver.received.map((received) => received.headers['traceparent'])).toEqual([TRACEPARENT, TRACEPARENT])
  expect((await deliveriesOf(owner, webhook))[0]?.request.headers).toMatchObject({ traceparent: TRACEPARENT })
})
