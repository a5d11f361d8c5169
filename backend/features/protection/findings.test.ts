/** Findings through outages and ends of the program. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { findingOf, issuesOf, raise } from '#tests/findings.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { WrittenFindings } from './findings.ts'

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
  for (let at = 0; at < 5; at += 1) app.findings.raise(findingOf(app, found))
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
    expect(app.takeLogs()).toEqual([expect.stringContaining('Findings could not be written; they wait.')])
  } finally {
    await sql`alter table protection_issues_away rename to protection_issues`.execute(app.db)
    await sql`alter table protection_timeline_away rename to protection_timeline`.execute(app.db)
  }
  const counts = async () => (await issuesOf(owner)).map((one) => one.occurrences).toSorted((a, b) => a - b)
  await expect.poll(counts, { timeout: 10_000 }).toEqual([1, 3])
  // What else asks for the tables may have said so, too.
  app.takeLogs()
})

test('what memory still holds when the program ends is written', async () => {
  const { owner, found } = await withServer()
  app.findings.raise(findingOf(app, found))
  await app.restart()
  expect(await issuesOf(owner)).toMatchObject([{ status: 'OPEN', occurrences: 1 }])
})

test('as many findings as a long outage brings are bounded, the newest stay', async () => {
  const { owner, found } = await withServer()
  const { db, clock } = app
  const log = { warn: () => undefined, error: () => undefined } as unknown as ConstructorParameters<typeof WrittenFindings>[0]['log']
  const findings = new WrittenFindings({ db, clock, log })
  for (let at = 0; at < 5200; at += 1)
    findings.raise(findingOf(app, { ...found, publicId: at < 5199 ? 'Gone123' : found.publicId, fingerprint: `${at}` }))
  findings.clear('UNREACHABLE', 'Gone123', 'Nothing.')
  await findings.flush()
  expect(await issuesOf(owner)).toHaveLength(1)
})
