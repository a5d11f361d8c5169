/** Sessions as their user sees them: the list, and signing them out. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as sessions from '#contract/users/sessions.ts'
import * as users from '#contract/users/users.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const MINUTE_MS = 60_000

let app: TestApp
let other: SignedInUser

beforeAll(async () => {
  // Sends the client's address as a proxy does.
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' })
  other = await app.signIn('other')
})

const listOf = async (user: SignedInUser) => (await user.call(sessions.list)).data
const idsOf = async (user: SignedInUser) => (await listOf(user)).map(({ id }) => id)
const end = (user: SignedInUser, id: string) => user.call(sessions.end, { params: { id } })
const statusOf = async (user: SignedInUser) => (await user.call(users.me)).status

/** Uses the session with these headers, a minute after its last use. */
async function useWith(user: SignedInUser, headers: Record<string, string>): Promise<void> {
  app.clock.advance(MINUTE_MS + 1)
  expect((await user.fetch('/api/auth/me', { headers })).status).toBe(200)
}

/** The entries of the user's activity with this action, newest first. */
const activityOf = async (user: SignedInUser, action: string) =>
  (await user.call(activity.ofAccount)).data.filter((entry) => entry.action === action)

describe('the list', () => {
  test('has the own sessions alone, the current one first, and opaque ids', async () => {
    const [first, second] = [await app.signIn('lists'), await app.signIn('lists')]
    const [own, ...rest] = await listOf(first)
    expect(own).toMatchObject({ current: true })
    expect(rest).toHaveLength(1)
    expect(rest[0]).toMatchObject({ current: false })
    expect((await listOf(second))[0]?.id).toBe(rest[0]?.id)
    expect(await idsOf(other)).not.toContain(own?.id)
    const rows = await app.db.selectFrom('sessions').select('id_hash').where('user_id', '=', first.id).execute()
    const text = JSON.stringify(await listOf(first))
    for (const { id_hash } of rows) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) expect(text).not.toContain(id_hash.toString(encoding))
    }
  })

  test('names the browser, the system and the masked address of the last use', async () => {
    const user = await app.newUser()
    await useWith(user, { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.77' })
    expect(await listOf(user)).toMatchObject([{ browser: 'Firefox', os: 'Windows', address: '203.0.113.•' }])
    await useWith(user, { 'user-agent': IPHONE, 'x-forwarded-for': '2001:db8:77:1::5' })
    expect(await listOf(user)).toMatchObject([{ browser: 'Safari', os: 'iOS', address: '2001:db8:77:•' }])
    await useWith(user, { 'user-agent': 'x'.repeat(600) })
    expect(await listOf(user)).toMatchObject([{ browser: null, os: null }])
  })

  test('the whole address is stored nowhere', async () => {
    const user = await app.newUser()
    await useWith(user, { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.78' })
    const row = await app.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ masked_address: '203.0.113.•' })
    expect(JSON.stringify(row)).not.toContain('203.0.113.78')
  })

  test('the time of the last use is written at most once a minute', async () => {
    const user = await app.newUser()
    const seenAt = async () => (await listOf(user))[0]?.last_seen_at ?? ''
    const first = await seenAt()
    app.clock.advance(MINUTE_MS / 2)
    expect(await seenAt()).toBe(first)
    app.clock.advance(MINUTE_MS)
    const next = await seenAt()
    expect(Date.parse(next) - Date.parse(first)).toBeGreaterThan(MINUTE_MS)
    expect(await seenAt()).toBe(next)
  })

  test('does not have expired sessions, and they cannot be ended', async () => {
    const [user, expired] = [await app.signIn('expires'), await app.signIn('expires')]
    const id = (await listOf(expired))[0]?.id ?? ''
    await app.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute()
    expect(await idsOf(user)).not.toContain(id)
    expect((await end(user, id)).status).toBe(404)
  })
})

describe('ending one session', () => {
  test('signs it out, closes its streams within two seconds, and is in the activity', async () => {
    const [user, lost] = [await app.signIn('ends'), await app.signIn('ends')]
    await useWith(lost, { 'user-agent': FIREFOX })
    const id = (await listOf(lost))[0]?.id ?? ''
    const [ownStream, lostStream] = [await listen(user), await listen(lost)]
    expect((await end(user, id)).status).toBe(204)
    await expect.poll(lostStream.hasEnded, { interval: 10 }).toBe(true)
    expect(await statusOf(lost)).toBe(403)
    expect(await statusOf(user)).toBe(200)
    await ownStream.until(({ data }) => (data['changed'] as string[]).includes('sessions'))
    expect(ownStream.hasEnded()).toBe(false)
    ownStream.close()
    expect(await activityOf(user, 'SESSION_ENDED')).toMatchObject([{ as: 'self', before: { browser: 'Firefox', os: 'Windows' } }])
    expect((await end(user, id)).status).toBe(404)
    expect(await activityOf(user, 'SESSION_ENDED')).toHaveLength(1)
  })

  test('of another user, of nobody or without an id of that form is a 404', async () => {
    const user = await app.newUser()
    const foreign = (await listOf(other))[0]?.id ?? ''
    for (const id of [foreign, randomUUID(), 'x', '%00', "' or 1=1 --", 'a'.repeat(500)]) {
      const { status, error } = await end(user, id)
      expect([status, error.errors], id).toEqual([404, ['There is no such session.']])
    }
    expect(await statusOf(other)).toBe(200)
    expect(await activityOf(user, 'SESSION_ENDED')).toEqual([])
  })

  test('that is the current one signs out and deletes the cookie', async () => {
    const user = await app.newUser()
    const { status, headers } = await end(user, (await listOf(user))[0]?.id ?? '')
    expect(status).toBe(204)
    expect(headers.getSetCookie().join()).toMatch(/muster_session=;/)
    expect(await statusOf(user)).toBe(403)
  })

  test('ten concurrent calls end it once', async () => {
    const [user, lost] = [await app.signIn('races'), await app.signIn('races')]
    const id = (await listOf(lost))[0]?.id ?? ''
    const replies = await Promise.all(Array.from({ length: 10 }, () => end(user, id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
    expect(await activityOf(user, 'SESSION_ENDED')).toHaveLength(1)
  })
})

describe('ending all other sessions', () => {
  test('keeps the current one and those of other users', async () => {
    const [user, second, third] = [await app.signIn('alone'), await app.signIn('alone'), await app.signIn('alone')]
    const streams = [await listen(second), await listen(third)]
    expect((await user.call(sessions.endOthers)).status).toBe(204)
    await expect.poll(() => streams.map((stream) => stream.hasEnded()), { interval: 10 }).toEqual([true, true])
    expect([await statusOf(user), await statusOf(second), await statusOf(third), await statusOf(other)]).toEqual([200, 403, 403, 200])
    expect(await listOf(user)).toMatchObject([{ current: true }])
    expect(await activityOf(user, 'SESSIONS_ENDED')).toMatchObject([{ before: { sessions: 2 } }])
  })

  test('does nothing if there is none', async () => {
    const user = await app.newUser()
    expect((await user.call(sessions.endOthers)).status).toBe(204)
    expect(await activityOf(user, 'SESSIONS_ENDED')).toEqual([])
  })
})
