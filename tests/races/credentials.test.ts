/** Credentials: after a reissue, older ones are rejected, and no more than allowed work. */
import { beforeAll, expect } from 'vitest'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import { sql } from 'kysely'
import { announce, buildServer, grant } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import { type Call, type SignedInUser, WIDTH, activityRows, fire, fireOne, race, startRacing, newUsers, times, wait } from './race.ts'

let app: TestApp
let owner: SignedInUser
let manager: SignedInUser

beforeAll(async () => {
  app = await startRacing()
  ;[owner, manager] = (await newUsers(app, 2)) as [SignedInUser, SignedInUser]
  await grant(owner, manager.id, ['REISSUE_CREDENTIAL'])
})

const announceCall =
  (credential: string): Call =>
  async () => {
    const response = await announce(app, credential)
    return { status: response.status, text: await response.text(), data: undefined }
  }

/** Alternates between the owner and their manager. */
const reissueCall =
  (id: string, index: number, body?: { grace_seconds: 3600 }): Call =>
  () =>
    index % 2 === 0
      ? owner.call(servers.reissue, { params: { id }, ...(body && { body }) })
      : manager.call(managers.reissueManaged, { params: { ownerId: owner.id, serverId: id }, ...(body && { body }) })

const credentialOf = (outcome: { readonly data: unknown }) => (outcome.data as { credential: string }).credential

function usableCredentials(id: string): Promise<{ hint: string }[]> {
  return app.db
    .selectFrom('credentials')
    .select('hint')
    .where('server_id', '=', id)
    .where('revoked_at', 'is', null)
    .where((q) => q.or([q('grace_until', 'is', null), q('grace_until', '>', sql<Date>`now()`)]))
    .execute()
}

/** The credentials that the list accepts now. */
async function acceptedOf(credentials: readonly string[]): Promise<string[]> {
  const responses = await Promise.all(credentials.map(async (credential) => (await announce(app, credential)).status))
  expect(responses.every((status) => status === 200 || status === 401)).toBe(true)
  return credentials.filter((_, index) => responses[index] === 200)
}

async function lastHint(id: string): Promise<unknown> {
  const rows = await activityRows(app, { server: id })
  return rows.findLast(({ action }) => action === 'CREDENTIAL_REISSUED')?.after?.credential_hint
}

race('after many reissues at once only the last credential works', async () => {
  const server = await buildServer(owner)
  const id = server.public_id
  await announce(app, server.credential)
  const half = WIDTH / 2
  const pendingReissues = times(half, (index) => fireOne(reissueCall(id, index)))
  const first = Promise.race(pendingReissues)
  // Half start a few milliseconds after the beginning, half after the first reissue returns.
  const pendingAnnounces = times(half, async (index) => {
    await (index % 2 === 0 ? wait(index * 3) : first.then(() => wait(index)))
    return fireOne(announceCall(server.credential))
  })
  const [reissues, announces] = await Promise.all([Promise.all(pendingReissues), Promise.all(pendingAnnounces)])
  expect(reissues.map(({ status }) => status)).toEqual(times(half, () => 200))
  const firstResponseAt = Math.min(...reissues.map(({ endedAt }) => endedAt))
  const late = announces.filter(({ startedAt }) => startedAt >= firstResponseAt)
  expect(late.length).toBeGreaterThanOrEqual(half >> 1)
  for (const { status } of late) expect(status).toBe(401)
  const all = [server.credential, ...reissues.map(credentialOf)]
  const stillAccepted = await acceptedOf(all)
  expect(stillAccepted).toHaveLength(1)
  expect(stillAccepted[0]?.slice(-4)).toBe(await lastHint(id))
  expect(await usableCredentials(id)).toEqual([{ hint: stillAccepted[0]?.slice(-4) }])
  await owner.call(servers.remove, { params: { id } })
  expect(await acceptedOf(all)).toEqual([])
})

race('an announce with the older credential is rejected if it starts after the reissue returned', async () => {
  const server = await buildServer(owner)
  const id = server.public_id
  let old = server.credential
  for (let index = 0; index < 4; index += 1) {
    const before = old
    const stop = { now: false }
    const flood = times(4, async () => {
      while (!stop.now) await announce(app, before)
    })
    const outcome = await fireOne(reissueCall(id, index))
    const after = await Promise.all(times(WIDTH / 4, () => announce(app, before)))
    stop.now = true
    await Promise.all(flood)
    expect(after.map(({ status }) => status)).toEqual(times(WIDTH / 4, () => 401))
    old = credentialOf(outcome)
    expect((await announce(app, old)).status).toBe(200)
  }
  await owner.call(servers.remove, { params: { id } })
})

race('with a grace period, exactly two credentials work after concurrent reissues', async () => {
  const server = await buildServer(owner)
  const id = server.public_id
  const outcomes = await fire(times(WIDTH, (index) => reissueCall(id, index, { grace_seconds: 3600 })))
  expect(outcomes.map(({ status }) => status)).toEqual(times(WIDTH, () => 200))
  const stillAccepted = await acceptedOf([server.credential, ...outcomes.map(credentialOf)])
  expect(stillAccepted).toHaveLength(2)
  expect(stillAccepted.map((credential) => credential.slice(-4))).toContain(await lastHint(id))
  expect(await usableCredentials(id)).toHaveLength(2)
  await owner.call(servers.remove, { params: { id } })
})
