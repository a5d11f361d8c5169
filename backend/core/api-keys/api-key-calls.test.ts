/** Calls with an API key: as whom, with which scope, and how they are rejected. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportData, requestDeletion } from '#contract/users/account.ts'
import * as activity from '#contract/events/activity.ts'
import * as apiKeys from '#contract/users/api-keys.ts'
import { audit } from '#contract/events/audit.ts'
import { logOut } from '#contract/users/auth.ts'
import * as servers from '#contract/servers/servers.ts'
import { me } from '#contract/users/users.ts'
import { ban, buildApiKey, buildServer, newName, scheduleDeletion } from '#tests/factories.ts'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { signInCookie } from '#tests/test-user.ts'
import { newApiKey } from './api-key.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
const revoke = (user: SignedInUser, id: string) => user.call(apiKeys.revoke, { params: { id } })
const rejection = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })
const valid = { name: 'CI', scopes: ['servers:read'], expires_in_days: 30 } as const

async function expire(id: string): Promise<void> {
  await app.db
    .updateTable('api_keys')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()
}

describe('a call with a key', () => {
  test('acts as its user, and its use is recorded to the minute', async () => {
    const user = await app.newUser()
    const { key } = await buildApiKey(user, 'servers:read', 'servers:write')
    const server = await buildServer(app.withKey(key))
    expect((await user.call(servers.get, { params: { id: server.public_id } })).data.user_id).toBe(user.id)
    expect((await app.withKey(key).call(me)).data.id).toBe(user.id)
    const [listed] = (await user.call(apiKeys.list)).data
    expect(listed?.last_used_at).toMatch(/:00\.000Z$/)
  })

  test('still reads while its use cannot be stored, and does not wait for a locked key', async () => {
    const user = await app.newUser()
    const { key, id } = await buildApiKey(user, 'servers:read')
    await app.db.transaction().execute(async (trx) => {
      await trx.selectFrom('api_keys').select('id').where('id', '=', id).forUpdate().execute()
      expect((await app.withKey(key).call(servers.list)).status).toBe(200)
    })
    await sql`create function reject_use() returns trigger language plpgsql as $$ begin
      if old.id = ${sql.lit(id)} then raise 'read-only'; end if; return new; end $$`.execute(app.db)
    await sql`create trigger reject_use before update on api_keys for each row execute function reject_use()`.execute(app.db)
    expect((await app.withKey(key).call(servers.list)).status).toBe(200)
    await sql`drop function reject_use cascade`.execute(app.db)
    expect((await user.call(apiKeys.list)).data[0]?.last_used_at).toBeNull()
  })

  test('needs the scope, and the sentence names it', async () => {
    const { key } = await buildApiKey(await app.newUser(), 'servers:read')
    expect(rejection(await app.withKey(key).call(servers.create, { body: { name: newName() } }))).toEqual({
      status: 403,
      errors: ['This API key lacks the scope servers:write. Create a key that has it.'],
    })
  })

  test('is rejected with a reason if the key is malformed, unknown, revoked or expired', async () => {
    const user = await app.newUser()
    const [revoked, expired] = [await buildApiKey(user, 'servers:read'), await buildApiKey(user, 'servers:read')]
    await revoke(user, revoked.id)
    await expire(expired.id)
    const answer = async (key: string) => rejection(await app.withKey(key).call(servers.list))
    const unknown = 'This API key is unknown. Check that you copied all of it, from msk_ to the end.'
    expect(await answer('msk_')).toEqual({ status: 401, errors: [unknown] })
    expect(await answer(revoked.key.slice(0, -1))).toEqual({ status: 401, errors: [unknown] })
    expect(await answer(newApiKey().key.reveal())).toEqual({ status: 401, errors: [unknown] })
    expect(await answer(revoked.key)).toEqual({
      status: 401,
      errors: ["This API key was revoked. Create a new one in the panel's settings."],
    })
    expect(await answer(expired.key)).toEqual({
      status: 401,
      errors: ["This API key has expired. Create a new one in the panel's settings."],
    })
    expect((await app.withKey('msk_').call(servers.list)).headers.get('www-authenticate')).toBe('Bearer')
  })

  test('never falls back to the cookie of the request', async () => {
    const cookie = await signInCookie(app.panelUrl, 'both')
    const other = await app.newUser()
    const { key } = await buildApiKey(other, 'servers:read')
    const call = (authorization: string) => app.anonymous.fetch('/api/auth/me', { headers: { cookie, authorization } })
    expect(((await (await call(`Bearer ${key}`)).json()) as { data: { id: string } }).data.id).toBe(other.id)
    expect((await call('Bearer msk_wrong')).status).toBe(401)
    expect((await call(`bearer ${key}`)).status).toBe(200)
    for (const unrecognizable of [
      'Bearer',
      'Bearer x',
      'bearer  not a key',
      `Bearer mst_${key.slice(4)}`,
      `Bearer "${key}"`,
      `Bearer ${key}, ${key}`,
    ])
      expect([unrecognizable, (await call(unrecognizable)).status]).toEqual([unrecognizable, 401])
    // A proxy in front of the panel may use another scheme.
    expect((await call('Basic eDp5')).status).toBe(200)
  })

  test('may come from another origin, because a browser sends no key by accident', async () => {
    const { key } = await buildApiKey(await app.newUser(), 'servers:write')
    const post = (headers: Record<string, string>) =>
      app.anonymous.fetch('/api/users/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example', ...headers },
        body: JSON.stringify({ name: newName() }),
      })
    expect((await post({ authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await post({ cookie: await signInCookie(app.panelUrl, 'crosser') })).status).toBe(403)
  })

  test('can do nothing more than a session while the account is banned or set for deletion', async () => {
    const [banned, leaving] = [await app.newUser(), await app.newUser()]
    const [ofBanned, ofLeaving] = [
      app.withKey((await buildApiKey(banned, 'servers:read')).key),
      app.withKey((await buildApiKey(leaving, 'servers:read')).key),
    ]
    await ban(app, banned.id)
    await scheduleDeletion(app, leaving.id)
    expect(rejection(await ofBanned.call(servers.list))).toEqual({ status: 403, errors: ['Your account is banned.'] })
    const pending = ['Your account is set for deletion. Cancel the deletion first.']
    expect(rejection(await ofLeaving.call(servers.list))).toEqual({ status: 403, errors: pending })
    expect((await ofBanned.call(me)).status).toBe(200)
  })

  test('cannot create, list or revoke keys, end a session, export or delete the account, or administer', async () => {
    const admin = await app.signIn('admin')
    const { key, id } = await buildApiKey(admin, 'servers:read', 'servers:write', 'managers:write', 'webhooks:write')
    const program = app.withKey(key)
    const calls = [
      program.call(apiKeys.create, { body: { ...valid, scopes: ['servers:read'] } }),
      program.call(apiKeys.list),
      program.call(apiKeys.revoke, { params: { id } }),
      program.call(logOut),
      program.call(exportData),
      program.call(requestDeletion),
      program.call(activity.ofAccount),
      program.call(audit),
    ]
    for (const answer of await Promise.all(calls))
      expect(rejection(answer as ApiResponse<unknown>)).toEqual({
        status: 403,
        errors: ['API keys cannot make this call. Sign in to the panel instead.'],
      })
  })
})
