/** Going offline on purpose. */
import { describe, expect, test } from 'vitest'
import type { ListErrorReply } from '#contract/api/errors.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, send } from '#tests/list/send.ts'

describe('going offline on purpose', () => {
  test('is rejected without a valid credential, from another address and when banned', async () => {
    const app = await startApp()
    const owner = await fleetOwner(app)
    const { credential, public_id: id } = await buildServer(owner)
    await announceFrom(app, credential)
    const leave = (authorization: Record<string, string>, from?: string) =>
      send(`${app.listUrl}/announce`, { method: 'DELETE', headers: authorization, ...(from !== undefined && { from }) })
    const bearer = { authorization: `Bearer ${credential}` }
    expect((await leave({})).status).toBe(401)
    expect((await leave({ authorization: `Bearer ${credential.slice(0, -1)}` })).status).toBe(401)
    expect((await leave(bearer, '127.0.0.2')).status).toBe(409)
    expect((await owner.call(servers.get, { params: { id } })).data.status).toBe('online')
    await app.db.updateTable('servers').set({ banned: true }).where('public_id', '=', id).execute()
    await app.restart()
    expect((await leave(bearer)).status).toBe(403)
  })

  test('passes over a late goodbye of another port, takes that of the same port or of none, and keeps an announcer without body', async () => {
    const app = await startApp()
    const owner = await fleetOwner(app)
    const { credential, public_id: id } = await buildServer(owner)
    const leave = (body?: string, headers: Record<string, string> = {}) =>
      send(`${app.listUrl}/announce`, {
        method: 'DELETE',
        headers: {
          authorization: `Bearer ${credential}`,
          ...(body !== undefined && { 'content-length': String(body.length) }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      })
    const statusOf = async () => (await owner.call(servers.get, { params: { id } })).data.status
    await announceFrom(app, credential, { port: 7788 })
    await announceFrom(app, credential, { port: 7789 })
    expect((await leave('{"port":7788}', { 'content-type': 'application/json' })).status).toBe(204)
    expect(await statusOf()).toBe('online')
    const endings: readonly (readonly [body?: string | undefined, headers?: Record<string, string>])[] = [
      ['{"port":7789}', { 'content-type': 'application/json' }],
      ['{"port":7789,"reason":"update"}'],
      ['{}'],
      ['{"port":null}'],
      ['', { 'content-type': 'application/json' }],
      [undefined, { 'content-type': 'text/plain' }],
      [],
    ]
    for (const [body, headers] of endings) {
      const left = await leave(body, headers)
      expect([left.status, left.text], `${body}`).toEqual([204, ''])
      expect(await statusOf(), `${body}`).toBe('offline')
      await announceFrom(app, credential, { port: 7789 })
      app.clock.advance(30_000)
    }
    expect((await leave('{"port":7788}')).status).toBe(204)
    expect(await statusOf()).toBe('online')
  })

  test('is rejected with a malformed body, which changes nothing and is shown to the owner', async () => {
    const app = await startApp()
    const owner = await fleetOwner(app)
    const { credential, public_id: id } = await buildServer(owner)
    await announceFrom(app, credential)
    const leave = async (body: string | Buffer, headers: Record<string, string> = {}, authorization = `Bearer ${credential}`) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) }
      const { status, text } = await send(`${app.listUrl}/announce`, {
        method: 'DELETE',
        body,
        headers: { authorization, ...length, ...headers },
      })
      const { code, errors } = JSON.parse(text) as ListErrorReply
      return [status, code, ...errors]
    }
    const range = 'port must be a whole number from 1 to 65535.'
    for (const port of ['0', '65536', '1.5', '"7788"', '[]', 'true'])
      expect(await leave(`{"port":${port}}`)).toEqual([400, 'BODY_INVALID', range])
    for (const body of ['[]', 'null', '7788', '"7788"']) expect((await leave(body)).slice(0, 2)).toEqual([400, 'BODY_INVALID'])
    for (const body of ['{', 'port=7788', ' ']) expect((await leave(body)).slice(0, 2)).toEqual([400, 'BODY_NOT_JSON'])
    expect(await leave(Buffer.from('{"port":7788,"x":"\xff"}', 'latin1'))).toEqual([400, 'BODY_INVALID', expect.stringContaining('UTF-8')])
    expect((await leave('{"port":7788}', { 'content-type': 'text/plain' })).slice(0, 2)).toEqual([415, 'BODY_WRONG_TYPE'])
    expect((await leave(`{"port":7788,"x":"${'x'.repeat(9000)}"}`)).slice(0, 2)).toEqual([413, 'BODY_TOO_LARGE'])
    expect((await leave('{', {}, 'Bearer mst_x')).slice(0, 2)).toEqual([401, 'CREDENTIAL_MALFORMED'])
    expect((await owner.call(servers.get, { params: { id } })).data.status).toBe('online')
    const { data } = await owner.call(servers.announces, { params: { id } })
    expect(data.slice(0, 3).map(({ code }) => code)).toEqual(['BODY_TOO_LARGE', 'BODY_WRONG_TYPE', 'BODY_INVALID'])
    const marked = {
      method: 'DELETE',
      body: '\uFEFF{"port":7788}',
      headers: { authorization: `Bearer ${credential}`, 'content-length': '16' },
    }
    expect((await send(`${app.listUrl}/announce`, marked)).status).toBe(204)
  })
})
