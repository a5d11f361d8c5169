/** Filters, sorting and paging of the administrators' queue. */
import { beforeAll, expect, test } from 'vitest'
import * as protection from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { issuesOf, reportFindings } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

const ago = (seconds: number) => Date.now() - seconds * 1000

let app: TestApp
let admin: SignedInUser
let alice: SignedInUser
let bob: SignedInUser
let castle: ServerWithCredential
let meadow: ServerWithCredential

/** Alice's castle has two resolved issues; Bob's meadow has two open ones. */
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
  alice = await app.signIn('alice')
  bob = await app.signIn('bob')
  castle = await buildServer(alice, { name: 'Castle of Gläß' })
  meadow = await buildServer(bob, { name: 'Green Meadow' })
  await reportFindings(app, { kind: 'ADDRESS_MISMATCH', publicId: castle.public_id, severity: 'HIGH', at: ago(40), occurrences: 5 })
  await reportFindings(app, { kind: 'ANNOUNCE_FLOOD', publicId: castle.public_id, severity: 'MEDIUM', at: ago(10), occurrences: 9 })
  await reportFindings(app, { kind: 'REVOKED_CREDENTIAL', publicId: meadow.public_id, severity: 'HIGH', at: ago(30), occurrences: 7 })
  await reportFindings(app, { kind: 'UNREACHABLE', publicId: meadow.public_id, severity: 'LOW', at: ago(20), occurrences: 1 })
  for (const { id } of await issuesOf(alice)) {
    const { status } = await admin.call(protection.changeIssue, { params: { id }, body: { status: 'RESOLVED' } })
    expect(status).toBe(200)
  }
})

async function fetchQueue(query: string) {
  const response = await admin.fetch(`/api/admin/protection-issues?${query}`)
  expect(response.status, query).toBe(200)
  return (await response.json()) as { data: protection.QueuedIssue[]; meta: { page: number; total: number; pages: number } }
}

const ABBREVIATIONS: Partial<Record<protection.IssueKind, string>> = {
  ADDRESS_MISMATCH: 'A',
  ANNOUNCE_FLOOD: 'F',
  IMPERSONATION: 'I',
  UNREACHABLE: 'U',
  REVOKED_CREDENTIAL: 'R',
  IMPLAUSIBLE_PLAYERS: 'P',
}
const kindsFor = async (query: string) => (await fetchQueue(query)).data.map((issue) => ABBREVIATIONS[issue.kind]).join('')

test('lists all issues, last seen first, with user and server', async () => {
  const { data, meta } = await fetchQueue('')
  expect(meta).toMatchObject({ page: 1, total: 4, pages: 1 })
  expect(data.map((issue) => ABBREVIATIONS[issue.kind]).join('')).toBe('FURA')
  expect(data[0]).toMatchObject({ user: { id: alice.id }, server: { public_id: castle.public_id, name: 'Castle of Gläß' } })
})

test.each([
  ['sort=last_seen_at&order=asc', 'ARUF'],
  ['sort=first_seen_at', 'FURA'],
  ['sort=first_seen_at&order=asc', 'ARUF'],
  ['sort=severity', 'RAFU'],
  ['sort=severity&order=asc', 'UFAR'],
  ['sort=occurrences', 'FRAU'],
  ['sort=occurrences&order=asc', 'UARF'],
])('sorts by %s: %s', async (query, kinds) => {
  expect(await kindsFor(query)).toBe(kinds)
})

test.each([
  ['kind=UNREACHABLE', 'U'],
  ['kind[0]=UNREACHABLE&kind[1]=REVOKED_CREDENTIAL', 'UR'],
  ['status=OPEN', 'UR'],
  ['status[0]=RESOLVED&status[1]=OPEN', 'FURA'],
  ['severity=HIGH', 'RA'],
  ['severity[0]=LOW&severity[1]=MEDIUM', 'FU'],
  ['severity=HIGH&status=RESOLVED', 'A'],
  ['search=ALICE', 'FA'],
  ['search=meadow', 'UR'],
  ['search=äß', 'FA'],
  ['search=bob', 'UR'],
  ['search=nobody', ''],
  ['search=%25', ''],
  ['search=meadow&severity=LOW', 'U'],
])('filters by %s: %s', async (query, kinds) => {
  expect(await kindsFor(query)).toBe(kinds)
})

test('filters by user and server, and finds users by Discord id and servers by public id', async () => {
  const discordId = (await fetchQueue('search=alice')).data[0]?.user.discord.discord_id ?? ''
  for (const query of [`user_id=${alice.id}`, `server_id=${castle.public_id}`, `search=${discordId}`, `search=${castle.public_id}`])
    expect(await kindsFor(query)).toBe('FA')
  expect(await kindsFor(`user_id=${alice.id}&server_id=${meadow.public_id}`)).toBe('')
})

test('pages by number and by cursor', async () => {
  expect(await kindsFor('per_page=3')).toBe('FUR')
  expect(await kindsFor('per_page=3&page=2')).toBe('A')
  expect(await kindsFor('per_page=3&page=9')).toBe('')
  const last = (await fetchQueue('per_page=2')).data[1]?.id ?? ''
  expect(await kindsFor(`per_page=2&page=2&after=${last}`)).toBe('RA')
  expect(await kindsFor(`per_page=2&before=${last}`)).toBe('F')
})

test.each([
  ['kind=BAD', 'kind must be one of'],
  ['status[0]=BAD', 'status must be one of'],
  ['severity=', 'severity must be one of'],
  ['sort=user_id', 'sort must be one of'],
  ['user_id=x', 'user_id must be the ID of a user.'],
  ['server_id=x', 'server_id must be the public ID of a server.'],
  ['page=0', 'page must be'],
  ['per_page=101', 'per_page must be'],
  ['search=a%00b', "search can't contain"],
  ['colour=red', ''],
])('rejects %s with a sentence', async (query, sentence) => {
  const response = await admin.fetch(`/api/admin/protection-issues?${query}`)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(sentence)
})

test('finds issues of deleted servers by their last name', async () => {
  const lost = await buildServer(bob, { name: 'Lost City' })
  await reportFindings(app, { kind: 'ANNOUNCE_FLOOD', publicId: lost.public_id })
  await bob.call(servers.remove, { params: { id: lost.public_id } })
  for (const search of ['lost city', lost.public_id]) {
    const { data } = await fetchQueue(`search=${encodeURIComponent(search)}`)
    expect(data).toMatchObject([{ kind: 'ANNOUNCE_FLOOD', server: null, user: { id: bob.id } }])
  }
})
