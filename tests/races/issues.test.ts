/** Concurrent findings, moderation, replies, deletions and transfers: one open issue per finding, and every change counts once. */
import { beforeAll, expect } from 'vitest'
import * as protection from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { upsertIssues } from '#backend/core/protection/issue-upsert.ts'
import { buildServer, offer } from '#tests/factories.ts'
import { findingOf, raiseIssue } from '#tests/findings.ts'
import type { TestApp } from '#tests/harness.ts'
import { type Call, type SignedInUser, WIDTH, fire, race, startRacing, succeeded, times, newUser } from './race.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startRacing()
  admin = await app.signIn('admin')
})

async function createOwnerWithServer() {
  const owner = await newUser(app)
  const server = await buildServer(owner)
  return { owner, server, found: { kind: 'ADDRESS_MISMATCH', publicId: server.public_id } as const }
}

type Found = Parameters<typeof findingOf>[1]

/** A node that reports these findings. */
const reportCall =
  (...found: Found[]): Call =>
  async () => {
    await upsertIssues(
      app.db,
      found.map((one) => findingOf(app, one)),
      new Date(app.clock.now()),
    )
    return { status: 204, text: '', data: undefined }
  }

const changeCall =
  (id: string, body: protection.IssueChanges): Call =>
  () =>
    admin.call(protection.changeIssue, { params: { id }, body })

const rowsOf = (publicId: string) => app.db.selectFrom('protection_issues').selectAll().where('server_id', '=', publicId).execute()
const timelineOf = (id: string) => app.db.selectFrom('protection_timeline').selectAll().where('issue_id', '=', id).orderBy('id').execute()
const opened = async (ownerId: string) =>
  (await app.db.selectFrom('activity').select('id').where('owner_id', '=', ownerId).where('action', '=', 'ISSUE_OPENED').execute()).length

race('each of two findings from many nodes at once opens one issue that counts every report', async () => {
  const { owner, found } = await createOwnerWithServer()
  const other = { ...found, fingerprint: 'other' }
  await fire(times(WIDTH, (at) => (at % 2 === 0 ? reportCall(found, other) : reportCall(other, found))))
  const rows = await rowsOf(found.publicId)
  expect(rows.map((row) => Number(row.occurrences))).toEqual([WIDTH, WIDTH])
  expect(await opened(owner.id)).toBe(2)
})

race('no finding is lost while an administrator resolves and reopens, and at most one issue is open', async () => {
  const { owner, found } = await createOwnerWithServer()
  const { id } = await raiseIssue(app, owner, found)
  const acts = (at: number): Call =>
    at % 4 === 0 ? changeCall(id, { status: 'RESOLVED' }) : at % 4 === 1 ? changeCall(id, { status: 'OPEN' }) : reportCall(found)
  const outcomes = await fire(times(WIDTH, acts))
  for (const { status, text } of outcomes) expect([200, 204, 409], text).toContain(status)
  const rows = await rowsOf(found.publicId)
  expect(rows.filter((row) => row.is_open).length).toBeLessThanOrEqual(1)
  expect(rows.reduce((sum, row) => sum + Number(row.occurrences), 0)).toBe(1 + outcomes.filter(({ status }) => status === 204).length)
  expect(await opened(owner.id)).toBe(rows.length)
})

race('an issue dismissed during new findings stays dismissed and counts them', async () => {
  const { owner, found } = await createOwnerWithServer()
  const { id } = await raiseIssue(app, owner, found)
  await fire([changeCall(id, { status: 'DISMISSED' }), ...times(WIDTH - 1, () => reportCall(found))])
  expect(await rowsOf(found.publicId)).toMatchObject([{ id, status: 'DISMISSED', occurrences: String(WIDTH) }])
})

race('of many concurrent replies ten are accepted', async () => {
  const { owner, found } = await createOwnerWithServer()
  const { id: issueId } = await raiseIssue(app, owner, found)
  const reply = () => owner.call(protection.replyToIssue, { params: { userId: owner.id, issueId }, body: { message: 'Hello' } })
  const outcomes = await fire(times(Math.max(WIDTH, 15), () => reply))
  expect(succeeded(outcomes)).toBe(10)
  expect((await timelineOf(issueId)).filter((entry) => entry.kind === 'REPLY')).toHaveLength(10)
})

race('simultaneous changes of an issue never record a status twice in a row, and the last entry is the current one', async () => {
  const { owner, found } = await createOwnerWithServer()
  const { id } = await raiseIssue(app, owner, found)
  const bodies: protection.IssueChanges[] = [{ status: 'ACKNOWLEDGED' }, { consequence: 'UNRANKED' }, { status: 'RESOLVED' }]
  await fire([
    ...times(WIDTH - 1, (at) => changeCall(id, bodies[at % bodies.length] ?? {})),
    () => owner.call(protection.acknowledgeIssue, { params: { userId: owner.id, issueId: id } }),
  ])
  const [row] = await rowsOf(found.publicId)
  const entries = (await timelineOf(id)).filter((entry) => entry.kind === 'STATUS')
  // No entry repeats the previous one, and the last one is the current state.
  for (const [at, entry] of entries.entries()) expect(entry.status).not.toBe(entries[at - 1]?.status)
  expect(entries.at(-1)?.status).toBe(row?.status)
})

race('a server deleted or transferred during a finding leaves no open issue with its former owner', async () => {
  const { owner, server, found } = await createOwnerWithServer()
  const next = await newUser(app)
  const { id } = await offer(owner, server.public_id, next.id)
  const removal: Call =
    Math.random() < 0.5
      ? () => owner.call(servers.remove, { params: { id: server.public_id } })
      : () => next.call(transfers.accept, { params: { id } })
  const outcomes = await fire([removal, ...times(WIDTH - 1, () => reportCall(found))])
  expect(outcomes[0]?.status).toBeLessThan(300)
  const rows = await rowsOf(found.publicId)
  expect(rows.filter((row) => row.is_open && row.user_id === owner.id)).toEqual([])
  expect(rows.filter((row) => row.user_id === owner.id).length).toBeLessThanOrEqual(1)
})
