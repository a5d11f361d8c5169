/** Writing findings, including during outages and at shutdown. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import * as transfers from '#contract/servers/transfers.ts'
import { buildServer, offer } from '#tests/factories.ts'
import { findingOf, issuesOf, reportFindings } from '#tests/findings.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { FindingWriter } from './finding-writer.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function withServer() {
  const owner = await app.newUser()
  const { public_id: publicId } = await buildServer(owner)
  return { owner, finding: { kind: 'ADDRESS_MISMATCH', publicId } as const }
}

test('writes findings promptly and merges equal ones', async () => {
  const { owner, finding } = await withServer()
  for (let count = 0; count < 5; count += 1) app.findings.report(findingOf(app, finding))
  await expect.poll(() => issuesOf(owner)).toMatchObject([{ occurrences: 5 }])
})

test('keeps findings during a database outage and writes each exactly once afterwards', async () => {
  const { owner, finding } = await withServer()
  await reportFindings(app, finding)
  await sql`alter table protection_timeline rename to protection_timeline_away`.execute(app.db)
  await sql`alter table protection_issues rename to protection_issues_away`.execute(app.db)
  try {
    await reportFindings(app, finding, { ...finding, fingerprint: 'another' })
    await reportFindings(app, finding)
    // Other users of the tables may log errors too.
    const warnings = app.takeLogs().filter((line) => line.includes('findings could not be written, will retry'))
    expect(warnings).toHaveLength(1)
  } finally {
    await sql`alter table protection_issues_away rename to protection_issues`.execute(app.db)
    await sql`alter table protection_timeline_away rename to protection_timeline`.execute(app.db)
  }
  const counts = async () => (await issuesOf(owner)).map((issue) => issue.occurrences).toSorted((a, b) => a - b)
  await expect.poll(counts, { timeout: 10_000 }).toEqual([1, 3])
  await expect.poll(() => app.allLogs()).toMatch(/"level":40,.*findings are written again/)
  // Other users of the tables may have logged errors too.
  app.takeLogs()
})

test('flush waits for all earlier findings, even when called concurrently', async () => {
  const { owner, finding } = await withServer()
  const first = reportFindings(app, finding)
  app.findings.report(findingOf(app, { ...finding, fingerprint: 'second' }))
  void app.findings.flush()
  await app.findings.flush()
  expect(await issuesOf(owner)).toHaveLength(2)
  await first
})

test('applies findings and resolutions only to the owner at the time', async () => {
  const { owner, finding } = await withServer()
  const recipient = await app.newUser()
  const { id } = await offer(owner, finding.publicId, recipient.id)
  await reportFindings(app, { ...finding, ownerId: owner.id })
  // Written after the transfer.
  expect((await recipient.call(transfers.accept, { params: { id } })).status).toBeLessThan(300)
  await reportFindings(app, { ...finding, ownerId: owner.id })
  expect([await issuesOf(owner), await issuesOf(recipient)]).toMatchObject([[{ status: 'RESOLVED', occurrences: 1 }], []])
  await reportFindings(app, { ...finding, ownerId: recipient.id })
  app.findings.resolve(finding.kind, finding.publicId, 'It is over.', owner.id)
  await app.findings.flush()
  expect(await issuesOf(recipient)).toMatchObject([{ status: 'OPEN', occurrences: 1 }])
  app.findings.resolve(finding.kind, finding.publicId, 'It is over.', recipient.id)
  await app.findings.flush()
  expect(await issuesOf(recipient)).toMatchObject([{ status: 'RESOLVED' }])
})

test('writes pending findings at shutdown', async () => {
  const { owner, finding } = await withServer()
  app.findings.report(findingOf(app, finding))
  await app.restart()
  expect(await issuesOf(owner)).toMatchObject([{ status: 'OPEN', occurrences: 1 }])
})

test('limits pending findings during a long outage and keeps the newest', async () => {
  const { owner, finding } = await withServer()
  const { db, clock } = app
  const log = { warn: () => undefined, error: () => undefined } as unknown as ConstructorParameters<typeof FindingWriter>[0]['log']
  const findings = new FindingWriter({ db, clock, log })
  for (let index = 0; index < 5200; index += 1)
    findings.report(findingOf(app, { ...finding, publicId: index < 5199 ? 'Gone123' : finding.publicId, fingerprint: `${index}` }))
  findings.resolve('UNREACHABLE', 'Gone123', 'Nothing.')
  await findings.flush()
  expect(await issuesOf(owner)).toHaveLength(1)
})

test('merges equal findings and keeps the order of resolutions during a long outage', async () => {
  const { owner, finding } = await withServer()
  const { clock, db } = app
  await reportFindings(app, { ...finding, kind: 'IMPERSONATION' })
  let isUnavailable = true
  const deps = {
    get db() {
      if (isUnavailable) throw new Error('unavailable')
      return db
    },
    clock,
    log: { warn: () => undefined, error: () => undefined } as unknown as ConstructorParameters<typeof FindingWriter>[0]['log'],
  }
  const findings = new FindingWriter(deps)
  findings.resolve('IMPERSONATION', finding.publicId, 'The server was renamed.')
  // Without merging, these would exceed the limit.
  for (let attempt = 0; attempt < 120; attempt += 1) {
    for (let fingerprint = 0; fingerprint < 50; fingerprint += 1)
      findings.report(findingOf(app, { ...finding, fingerprint: `${fingerprint}` }))
    await findings.flush()
  }
  isUnavailable = false
  await findings.flush()
  const issues = await issuesOf(owner)
  expect(issues.filter((issue) => issue.kind === 'IMPERSONATION')).toMatchObject([{ status: 'RESOLVED' }])
  const merged = issues.filter((issue) => issue.kind === finding.kind)
  expect(merged.map((issue) => issue.occurrences)).toEqual(merged.map(() => 120))
  expect(merged).toHaveLength(50)
})
