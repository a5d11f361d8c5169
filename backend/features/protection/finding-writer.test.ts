/** Findings through outages and ends of the program. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import * as transfers from '#contract/transfers.ts'
import { buildServer, offer } from '#tests/factories.ts'
import { findingOf, issuesOf, raise } from '#tests/findings.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { FindingWriter } from './finding-writer.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function withServer() {
  const owner = await app.someone()
  const { public_id: publicId } = await buildServer(owner)
  return { owner, found: { kind: 'ADDRESS_MISMATCH', publicId } as const }
}

test('what is found is written within a moment, the same ones together', async () => {
  const { owner, found } = await withServer()
  for (let at = 0; at < 5; at += 1) app.findings.report(findingOf(app, found))
  await expect.poll(() => issuesOf(owner)).toMatchObject([{ occurrences: 5 }])
})

test('while the database refuses, findings wait and are written once it is back, each once', async () => {
  const { owner, found } = await withServer()
  await raise(app, found)
  await sql`alter table protection_timeline rename to protection_timeline_away`.execute(app.db)
  await sql`alter table protection_issues rename to protection_issues_away`.execute(app.db)
  try {
    await raise(app, found, { ...found, fingerprint: 'another' })
    await raise(app, found)
    // What else asks for the tables may say so, too.
    const said = app.takeLogs().filter((line) => line.includes('Findings could not be written; they wait.'))
    expect(said).toHaveLength(1)
  } finally {
    await sql`alter table protection_issues_away rename to protection_issues`.execute(app.db)
    await sql`alter table protection_timeline_away rename to protection_timeline`.execute(app.db)
  }
  const counts = async () => (await issuesOf(owner)).map((one) => one.occurrences).toSorted((a, b) => a - b)
  await expect.poll(counts, { timeout: 10_000 }).toEqual([1, 3])
  // What else asks for the tables may have said so, too.
  app.takeLogs()
})

test('who waits for what was found until now waits for all of it, however many wait', async () => {
  const { owner, found } = await withServer()
  const first = raise(app, found)
  app.findings.report(findingOf(app, { ...found, fingerprint: 'second' }))
  void app.findings.flush()
  await app.findings.flush()
  expect(await issuesOf(owner)).toHaveLength(2)
  await first
})

test('what is found is held against who had the server then, and ended for nobody else', async () => {
  const { owner, found } = await withServer()
  const next = await app.someone()
  const { id } = await offer(owner, found.publicId, next.id)
  await raise(app, { ...found, ownerId: owner.id })
  // Written only once it is somebody else's.
  expect((await next.call(transfers.accept, { params: { id } })).status).toBeLessThan(300)
  await raise(app, { ...found, ownerId: owner.id })
  expect([await issuesOf(owner), await issuesOf(next)]).toMatchObject([[{ status: 'RESOLVED', occurrences: 1 }], []])
  await raise(app, { ...found, ownerId: next.id })
  app.findings.resolve(found.kind, found.publicId, 'It is over.', owner.id)
  await app.findings.flush()
  expect(await issuesOf(next)).toMatchObject([{ status: 'OPEN', occurrences: 1 }])
  app.findings.resolve(found.kind, found.publicId, 'It is over.', next.id)
  await app.findings.flush()
  expect(await issuesOf(next)).toMatchObject([{ status: 'RESOLVED' }])
})

test('what memory still holds when the program ends is written', async () => {
  const { owner, found } = await withServer()
  app.findings.report(findingOf(app, found))
  await app.restart()
  expect(await issuesOf(owner)).toMatchObject([{ status: 'OPEN', occurrences: 1 }])
})

test('as many findings as a long outage brings are bounded, the newest stay', async () => {
  const { owner, found } = await withServer()
  const { db, clock } = app
  const log = { warn: () => undefined, error: () => undefined } as unknown as ConstructorParameters<typeof FindingWriter>[0]['log']
  const findings = new FindingWriter({ db, clock, log })
  for (let at = 0; at < 5200; at += 1)
    findings.report(findingOf(app, { ...found, publicId: at < 5199 ? 'Gone123' : found.publicId, fingerprint: `${at}` }))
  findings.resolve('UNREACHABLE', 'Gone123', 'Nothing.')
  await findings.flush()
  expect(await issuesOf(owner)).toHaveLength(1)
})

test('through a long outage the same finding is merged, and what ended before it stays ended', async () => {
  const { owner, found } = await withServer()
  const { clock, db } = app
  await raise(app, { ...found, kind: 'IMPERSONATION' })
  let isAway = true
  const deps = {
    get db() {
      if (isAway) throw new Error('away')
      return db
    },
    clock,
    log: { warn: () => undefined, error: () => undefined } as unknown as ConstructorParameters<typeof FindingWriter>[0]['log'],
  }
  const findings = new FindingWriter(deps)
  findings.resolve('IMPERSONATION', found.publicId, 'The server was renamed.')
  // Far more findings than may wait, were they not merged.
  for (let attempt = 0; attempt < 120; attempt += 1) {
    for (let fingerprint = 0; fingerprint < 50; fingerprint += 1)
      findings.report(findingOf(app, { ...found, fingerprint: `${fingerprint}` }))
    await findings.flush()
  }
  isAway = false
  await findings.flush()
  const issues = await issuesOf(owner)
  expect(issues.filter((one) => one.kind === 'IMPERSONATION')).toMatchObject([{ status: 'RESOLVED' }])
  const merged = issues.filter((one) => one.kind === found.kind)
  expect(merged.map((one) => one.occurrences)).toEqual(merged.map(() => 120))
  expect(merged).toHaveLength(50)
})
