/** Reissuing a credential, with and without a grace period. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let ownerCount = 0
beforeAll(async () => {
  app = await startApp()
})

const newOwner = () => {
  ownerCount += 1
  return app.signIn(`owner${ownerCount}`)
}

describe('reissuing', () => {
  test('returns a new credential once', async () => {
    const owner = await newOwner()
    const created = await buildServer(owner)
    const { data, headers } = await owner.call(servers.reissue, { params: { id: created.public_id } })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data.credential).not.toBe(created.credential)
    expect(data.credential_hint).toBe(data.credential.slice(-4))
    expect(data.credential_grace_until).toBeNull()
  })

  test.each([3600, 86_400])('with a grace period of %i seconds reports until when the old credential works', async (grace_seconds) => {
    const owner = await newOwner()
    const created = await buildServer(owner)
    const { data } = await owner.call(servers.reissue, {
      params: { id: created.public_id },
      body: { grace_seconds } as { grace_seconds: 3600 },
    })
    const ahead = Date.parse(data.credential_grace_until ?? '') - Date.now()
    expect(Math.abs(ahead - grace_seconds * 1000)).toBeLessThan(60_000)
  })

  test.each([[{ grace_seconds: 60 }], [{ grace_seconds: '3600' }], [{ grace: 3600 }], [[]]])(
    'rejects %j and keeps the credential',
    async (body) => {
      const owner = await newOwner()
      const created = await buildServer(owner)
      const rejected = await owner.fetch(`/api/users/tokens/${created.public_id}/reissue`, {
        method: 'PATCH',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      expect(rejected.status).toBe(400)
      expect((await owner.call(servers.get, { params: { id: created.public_id } })).data.credential_hint).toBe(created.credential_hint)
    },
  )

  test('with two grace periods keeps the newest two credentials and revokes the first', async () => {
    const owner = await newOwner()
    const first = await buildServer(owner)
    const params = { id: first.public_id }
    const body = { grace_seconds: 3600 } as const
    const second = (await owner.call(servers.reissue, { params, body })).data
    const third = (await owner.call(servers.reissue, { params, body })).data
    const statuses = await Promise.all([first, second, third].map(async ({ credential }) => (await announce(app, credential)).status))
    expect(statuses).toEqual([401, 200, 200])
  })

  test('twenty at once leave exactly one current credential', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    const responses = await Promise.all(Array.from({ length: 20 }, () => owner.call(servers.reissue, { params: { id } })))
    expect(responses.every((response) => response.status === 200)).toBe(true)
    const working = await app.db
      .selectFrom('credentials')
      .select('id')
      .where('server_id', '=', id)
      .where('revoked_at', 'is', null)
      .execute()
    expect(working).toHaveLength(1)
  })
})
