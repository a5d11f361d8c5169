/** The export of an account: all of its data, and nothing of others. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import type { Export } from '#contract/users/account.ts'
import * as users from '#contract/users/users.ts'
import { checkCredential } from '#backend/core/servers/credential.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type TestUser, startApp, type TestApp } from '#tests/harness.ts'
import { PERSONAL_DATA } from './personal-data.ts'
import { buildFixture, tablesWith } from '#tests/personal-data.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

describe('the export', () => {
  const exportOf = async (user: TestUser) => user.call(account.exportData)

  test('has every row of every table, as an uncacheable file', async () => {
    const { user } = await buildFixture(app, 'wimbleton')
    await expect.poll(() => tablesWith(app, '127.0.0.79')).toContain('presence')
    await expect.poll(() => tablesWith(app, '127.0.0.78')).toContain('announce_attempts')
    const answer = await exportOf(user)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="muster-export-\d{4}-\d\d-\d\d\.json"$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { data } = answer
    expect(data).toMatchObject({ format: 'muster-export-1', me: { id: user.id, discord: { username: 'wimbleton' } } })
    expect(Math.abs(Date.parse(data.exported_at) - Date.now())).toBeLessThan(10_000)
    expect(data.me).toEqual((await user.call(users.me)).data)
    expect(Object.keys(data.held).toSorted()).toEqual(PERSONAL_DATA.map((entry) => entry.exportedAs).toSorted())
    const sizes = Object.fromEntries(Object.entries(data.held).map(([table, rows]) => [table, rows.length]))
    expect(sizes).toMatchObject({
      users: 1,
      // One is in the bin.
      servers: 2,
      credentials: 2,
      credential_uses: 2,
      transfers: 2,
      manager_grants: 2,
      benefit_grants: 1,
      sessions: 1,
      preferences: 1,
      images: 2,
      server_groups: 1,
      benefit_settings: 2,
      benefit_settings_servers: 1,
      supporters: 1,
      server_restarts: 1,
      server_reports: 1,
    })
    // Notes of administrators are not in it.
    expect(data.held.protection_timeline?.map((row) => row.kind)).not.toContain('NOTE')
    expect(data.held.protection_timeline?.map((row) => row.text)).toContain('wimbleton answered')
    for (const { exportedAs } of PERSONAL_DATA) expect(sizes[exportedAs], exportedAs).toBeGreaterThan(0)
    expect(data.held.servers?.find((row) => row.deleted_at === null)).toMatchObject({
      description: 'wimbleton wrote this, and a friend fixed it',
      tags: ['wimbleton'],
    })
    expect(data.held.credential_addresses?.map((row) => row.address)).toEqual(expect.arrayContaining(['127.0.0.77', '127.0.0.79']))
    expect(actionsIn(data)).toEqual(expect.arrayContaining(['ACCOUNT_CREATED', 'SERVER_DELETED', 'ACCOUNT_BANNED', 'LIMITS_CHANGED']))
  })

  test('has no secrets, no hashes, no administrator, and only public data of others', async () => {
    const { user, admin, secrets } = await buildFixture(app, 'plumbob')
    const { text } = await exportOf(user)
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
    for (const credential of text.match(/mst_\w+/g) ?? []) expect(checkCredential(credential)).toBe('malformed')
    expect(text).not.toContain('hash')
    expect(text).not.toContain(admin.id)
  })

  test('of an administrator omits their actions on other users', async () => {
    const { user, admin } = await buildFixture(app, 'snarfle')
    const { data, text } = await exportOf(admin)
    expect(text).not.toContain(user.id)
    expect(text).not.toContain('snarfle was rude')
    expect(actionsIn(data)).toContain('ACCOUNT_CREATED')
  })

  test('of a new user is nearly empty, and only they can get it', async () => {
    const user = await app.signIn('freshling')
    const { data } = await exportOf(user)
    expect(
      Object.entries(data.held)
        .filter(([, rows]) => rows.length > 0)
        .map(([table]) => table),
    ).toEqual(['sessions', 'activity', 'users'])
    expect((await exportOf(app.anonymous)).status).toBe(403)
  })

  test('is limited to a burst of three and then one a minute, per user', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' })
    const [user, other] = [await limited.signIn('often'), await limited.signIn('seldom')]
    const answers = await Promise.all(Array.from({ length: 5 }, () => exportOf(user)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([...Array.from({ length: 3 }, () => 200), 429, 429])
    const rejected = answers.find((answer) => answer.status === 429)
    expect(Number(rejected?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await exportOf(other)).status).toBe(200)
    limited.clock.advance(61_000)
    expect((await exportOf(user)).status).toBe(200)
  })

  test('succeeds during announces', async () => {
    const user = await app.signIn('busy')
    const { credential } = await buildServer(user)
    const [answer] = await Promise.all([exportOf(user), announce(app, credential)])
    expect(answer.status).toBe(200)
    expect(answer.data.held.servers).toHaveLength(1)
  })
})

function actionsIn(exported: Export): unknown[] {
  return exported.held.activity?.map((row) => row.action) ?? []
}
