/** Effects of open issues on a server's rank, player count, announce notices and open panels. */
import { beforeAll, expect, test } from 'vitest'
import * as protection from '#contract/protection/protection.ts'
import type { Consequence } from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { issuesOf, reportFindings, raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne } from '#tests/list/send.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'

let app: TestApp
let admin: SignedInUser
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
  owner = await fleetOwner(app)
})

/** Creates an online server. Each test uses its own branch, and so has its own list. */
async function onlineServer(branch: string, players: number, fields: Parameters<typeof buildServer>[1] = {}) {
  const server = await buildServer(owner, fields)
  const send = (body: Record<string, unknown> = {}) => announceFrom(app, server.credential, { branch, playersCount: players, ...body })
  expect((await send()).status).toBe(200)
  return { ...server, send }
}

const moderate = async (id: string, body: protection.IssueChanges) => {
  const { status, text } = await admin.call(protection.changeIssue, { params: { id }, body })
  expect(status, text).toBe(200)
}

const openIssue = (publicId: string, kind: protection.IssueKind = 'ADDRESS_MISMATCH') => raiseIssue(app, owner, { kind, publicId })

async function openIssueWith(publicId: string, consequence: Consequence): Promise<string> {
  const { id } = await openIssue(publicId)
  await moderate(id, { consequence })
  return id
}

const listOrder = async (branch: string) => (await readList(app, `?branch=${branch}`)).map((row) => row.publicId)
const listingOf = async (id: string) => (await owner.call(servers.get, { params: { id } })).data.listing

test('an unlisted server keeps its page, and its owner sees the reason and a link', async () => {
  const server = await onlineServer('unlisted', 5)
  await expect.poll(() => listOrder('unlisted')).toEqual([server.public_id])
  const id = await openIssueWith(server.public_id, 'UNLISTED')
  expect(await listingOf(server.public_id)).toEqual({
    listed: false,
    reasons: [
      {
        code: 'HELD_BACK',
        message: `A protection issue keeps the server off the public list. Announced from another address: http://localhost:0/protection-issues/${id}. The page of the issue shows what was found and what to do. The server returns as soon as the issue is resolved.`,
        since: expect.any(String) as string,
      },
    ],
  })
  expect((await server.send()).reply.listed).toBe(false)
  await expect.poll(() => listOrder('unlisted')).toEqual([])
  expect(await readOne(app, server.public_id)).toMatchObject({ available: true, playersCount: 5 })
  await moderate(id, { status: 'RESOLVED' })
  expect(await listingOf(server.public_id)).toMatchObject({ listed: true, reasons: [{ code: 'LISTED' }] })
  await expect.poll(() => listOrder('unlisted')).toEqual([server.public_id])
})

test('an unranked server sorts after all others until the issue closes, and the strongest issue decides', async () => {
  const first = await onlineServer('rank', 90, { promoted: true })
  const second = await onlineServer('rank', 40)
  const empty = await onlineServer('rank', 0)
  const ranked = [first, second, empty].map((server) => server.public_id)
  await expect.poll(() => listOrder('rank')).toEqual(ranked)
  expect((await readList(app, '?branch=rank')).map((row) => row.promoted)).toEqual([true, false, false])
  const id = await openIssueWith(first.public_id, 'UNRANKED')
  expect((await listingOf(first.public_id)).reasons.map((reason) => reason.code)).toEqual(['LISTED', 'UNRANKED'])
  await expect.poll(() => listOrder('rank')).toEqual([second.public_id, empty.public_id, first.public_id])
  // Clients that sort the rows get the same order.
  expect((await readList(app, '?branch=rank')).map((row) => row.promoted)).toEqual([false, false, false])
  const { id: other } = await openIssue(first.public_id, 'ANNOUNCE_FLOOD')
  await moderate(other, { consequence: 'UNLISTED' })
  await expect.poll(() => listOrder('rank')).toEqual([second.public_id, empty.public_id])
  await moderate(other, { status: 'DISMISSED' })
  await expect.poll(() => listOrder('rank')).toEqual([second.public_id, empty.public_id, first.public_id])
  await moderate(id, { consequence: 'NOTICE' })
  await expect.poll(() => listOrder('rank')).toEqual(ranked)
})

test('an unconfirmed player count is published and marked, but does not affect the rank', async () => {
  const [suspect, honest] = [await onlineServer('unconfirmed', 100), await onlineServer('unconfirmed', 1)]
  await expect.poll(() => listOrder('unconfirmed')).toEqual([suspect.public_id, honest.public_id])
  const { id } = await openIssue(suspect.public_id, 'IMPLAUSIBLE_PLAYERS')
  await expect.poll(() => listOrder('unconfirmed')).toEqual([honest.public_id, suspect.public_id])
  expect((await readList(app, '?branch=unconfirmed')).map((row) => [row.playersCount, row.playersConfirmed])).toEqual([
    [1, true],
    [100, false],
  ])
  expect((await owner.call(servers.get, { params: { id: suspect.public_id } })).data.live).toMatchObject({
    players: 100,
    players_confirmed: false,
  })
  await moderate(id, { status: 'DISMISSED' })
  await expect.poll(() => listOrder('unconfirmed')).toEqual([suspect.public_id, honest.public_id])
})

test('players are unconfirmed while any anomaly is open, and dismissing one does not affect another', async () => {
  const server = await onlineServer('patterns', 5)
  const anomaly = (fingerprint: string) => ({ kind: 'IMPLAUSIBLE_PLAYERS', publicId: server.public_id, fingerprint }) as const
  const [above, frozen] = [await raiseIssue(app, owner, anomaly('ABOVE')), await raiseIssue(app, owner, anomaly('FROZEN'))]
  const isConfirmed = async () => (await readOne(app, server.public_id)).playersConfirmed
  await expect.poll(isConfirmed).toBe(false)
  await moderate(above.id, { status: 'DISMISSED' })
  expect(await isConfirmed()).toBe(false)
  await moderate(frozen.id, { status: 'RESOLVED' })
  await expect.poll(isConfirmed).toBe(true)
  await reportFindings(app, anomaly('ABOVE'))
  expect(await isConfirmed()).toBe(true)
  await reportFindings(app, anomaly('FROZEN'))
  await expect.poll(isConfirmed).toBe(false)
})

test('more players than slots do not affect the rank until an announce is plausible and the issue is closed', async () => {
  const [full, modest] = [await onlineServer('slots', 64, { name: 'Above its slots' }), await onlineServer('slots', 3)]
  await full.send({ playersCount: 200, maxPlayersCount: 64 })
  await expect.poll(() => listOrder('slots')).toEqual([modest.public_id, full.public_id])
  expect(await readOne(app, full.public_id)).toMatchObject({ playersCount: 64, playersConfirmed: false })
  await full.send({ playersCount: 64, maxPlayersCount: 64 })
  await app.findings.flush()
  await expect.poll(() => readOne(app, full.public_id)).toMatchObject({ playersCount: 64, playersConfirmed: false })
  const [issue] = await issuesOf(owner)
  expect(issue).toMatchObject({ kind: 'IMPLAUSIBLE_PLAYERS', status: 'OPEN', server: { public_id: full.public_id } })
  await moderate(issue?.id ?? '', { status: 'DISMISSED' })
  await expect.poll(() => listOrder('slots')).toEqual([full.public_id, modest.public_id])
  expect(await readOne(app, full.public_id)).toMatchObject({ playersCount: 64, playersConfirmed: true })
})

test('announce replies contain notices of at most five open issues, strongest first, with masked addresses', async () => {
  const server = await onlineServer('notices', 1)
  const publicId = server.public_id
  const issue = await raiseIssue(app, owner, { kind: 'ADDRESS_MISMATCH', publicId, summary: 'Announces come from 203.0.113.77.' })
  const notices = async () => (await server.send()).reply.notices
  await expect.poll(notices).toEqual([
    {
      code: 'ADDRESS_MISMATCH',
      message: expect.stringMatching(
        /^Announces come from 203\.0\.113\.•\. If the server has moved, .* See http:\/\/localhost:0\/protection-issues\/[0-9a-f-]{36}$/,
      ) as string,
    },
  ])
  const findings = Array.from({ length: 6 }, (_, index) => ({ kind: 'ANNOUNCE_FLOOD', publicId, fingerprint: String(index) }) as const)
  await reportFindings(app, ...findings)
  await expect.poll(async () => (await notices()).length).toBe(5)
  await moderate(issue.id, { consequence: 'UNRANKED' })
  await expect.poll(async () => (await notices())[0]?.code).toBe('ADDRESS_MISMATCH')
  app.findings.resolve('ANNOUNCE_FLOOD', publicId, 'It stopped.')
  await app.findings.flush()
  await moderate(issue.id, { status: 'RESOLVED' })
  await expect.poll(notices).toEqual([])
})

test('notices of issues are in the language of the game server', async () => {
  const server = await onlineServer('language', 1)
  const summary = 'The server announces far more often than the list requests.'
  await raiseIssue(app, owner, { kind: 'ANNOUNCE_FLOOD', publicId: server.public_id, summary })
  const messageIn = async (language: string) => {
    const { reply } = await announceFrom(app, server.credential, {}, { headers: { 'accept-language': language } })
    return reply.notices[0]?.message
  }
  await expect.poll(() => messageIn('en')).toMatch(/^The server announces far more often than the list requests\. .* See http/)
  expect(await messageIn('de')).toMatch(/^Der Server meldet sich viel häufiger, als die Liste verlangt\. .* Siehe http/)
})

test('a consequence still applies after a restart', async () => {
  const server = await onlineServer('restart', 5)
  const other = await onlineServer('restart', 1)
  const id = await openIssueWith(server.public_id, 'UNRANKED')
  await app.restart()
  expect(await listOrder('restart')).toEqual([other.public_id, server.public_id])
  await moderate(id, { status: 'RESOLVED' })
  await expect.poll(() => listOrder('restart')).toEqual([server.public_id, other.public_id])
})

test('an open panel is notified when an issue opens, gets a reply and resolves', async () => {
  const server = await onlineServer('panel', 1)
  const stream = await listen(owner)
  const isAboutIssues = (event: StreamEvent) => event.event === 'account' && (event.data['changed'] as string[]).includes('protection')
  const expectNotification = async () => {
    expect((await stream.until(isAboutIssues)).data['changed']).toContain('activity')
    stream.received.length = 0
  }
  const { id } = await openIssue(server.public_id)
  await expectNotification()
  await moderate(id, { reply: 'We will check it.' })
  await expectNotification()
  app.findings.resolve('ADDRESS_MISMATCH', server.public_id, 'It stopped.')
  await expectNotification()
  stream.close()
})
