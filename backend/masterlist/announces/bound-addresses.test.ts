/** A credential binds one address of each family, and the server's policy decides what happens to announces from elsewhere. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as managers from '#contract/servers/managers.ts'
import * as notifications from '#contract/webhooks/notifications.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, grant } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne } from '#tests/list/send.ts'

const TTL_MS = 75_000
const [V4, OTHER_V4, V6, SAME_64, OTHER_V6] = [
  '198.51.100.20',
  '198.51.100.77',
  '2001:db8:2:1:aaaa::1',
  '2001:db8:2:1:bbbb::2',
  '2001:db8:2:2::1',
]

let app: TestApp
let owner: SignedInUser
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' })
  owner = await fleetOwner(app)
})

async function newServer(fields: Parameters<typeof buildServer>[1] = {}) {
  const { credential, public_id: id } = await buildServer(owner, fields)
  const from = (address: string, body: Record<string, unknown> = {}) =>
    announceFrom(app, credential, body, { headers: { 'x-forwarded-for': address } })
  const get = async () => (await owner.call(servers.get, { params: { id } })).data
  const actions = async () =>
    (await owner.call(activity.ofServer, { params: { id } })).data.filter(({ action }) => action.startsWith('ADDRESS'))
  return { id, credential, from, get, actions }
}

describe('a credential', () => {
  test('binds the first IPv4 and the first IPv6 address, in either order, and both are listed with IPv4 first', async () => {
    for (const [first, second] of [
      [V4, V6],
      [V6, V4],
    ] as const) {
      const { id, from, get, actions } = await newServer()
      expect([(await from(first)).status, (await from(second)).status, (await from(first)).status]).toEqual([200, 200, 200])
      const { bound_address, bound_addresses } = await get()
      expect(bound_address).toBe(first)
      expect(bound_addresses.map(({ family, address }) => [family, address])).toEqual(
        [first, second].map((address) => [address === V4 ? 'ipv4' : 'ipv6', address]),
      )
      const row = await readOne(app, id)
      expect([row.address, row.addresses]).toEqual([`${V4}:${row.port}`, [`${V4}:${row.port}`, `[${V6}]:${row.port}`]])
      expect((await actions()).map(({ action, after }) => [action, after?.['family']])).toEqual([
        ['ADDRESS_BOUND', second === V4 ? 'ipv4' : 'ipv6'],
        ['ADDRESS_BOUND', first === V4 ? 'ipv4' : 'ipv6'],
      ])
    }
  })

  // Elsewhere, such a server is two rows until its second announce (OpenTTD/OpenTTD#7828).
  test('binds both families if its first announces come over both at once, and is one row', async () => {
    const { id, from } = await newServer()
    const replies = await Promise.all([from(V6), from(V4)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const rowsOf = async () => (await readList(app)).filter(({ publicId }) => publicId === id)
    await expect.poll(rowsOf).toMatchObject([{ address: expect.stringContaining(V4), addresses: { length: 2 } }])
    await from(V6)
    expect(await rowsOf(), 'IPv4 stays first').toMatchObject([{ address: expect.stringContaining(V4) }])
  })

  test('accepts another address of the bound /64, and rejects one outside it and another IPv4 address', async () => {
    const { from, get } = await newServer()
    expect([(await from(V6)).status, (await from(SAME_64)).status, (await from(V4)).status]).toEqual([200, 200, 200])
    for (const address of [OTHER_V6, OTHER_V4]) {
      const { status, rejection } = await from(address)
      expect([status, rejection.code]).toEqual([409, 'ADDRESS_MISMATCH'])
      expect(rejection.remedy).toMatch(/address of your machine changed.*another machine.*leaked/)
    }
    expect((await get()).bound_addresses.map(({ address }) => address)).toEqual([V6, V4])
  })

  test('binds again after a reset, which clears both families', async () => {
    const { id, from, get, actions } = await newServer()
    for (const address of [V4, V6]) await from(address)
    await owner.call(servers.resetAddress, { params: { id } })
    expect((await get()).bound_addresses).toEqual([])
    expect((await actions())[0]).toMatchObject({ action: 'ADDRESS_RESET', before: { bound_address: `${V4}, ${V6}` } })
    for (const address of [OTHER_V6, OTHER_V4]) expect((await from(address)).status).toBe(200)
  })

  test('keeps the address of one family in the list for ten minutes while only the other announces', async () => {
    const { id, from } = await newServer()
    for (const address of [V4, V6]) await from(address)
    const addresses = async () => (await readOne(app, id)).addresses.length
    for (let minute = 0; minute < 9; minute += 1) {
      app.clock.advance(60_000)
      await from(V6)
    }
    expect(await addresses()).toBe(2)
    app.clock.advance(61_000)
    await from(V6)
    expect((await readOne(app, id)).addresses).toEqual([expect.stringContaining(V6)])
  })

  test('twenty announces at once from different addresses bind one of each family', async () => {
    const { from, get } = await newServer()
    const addresses = Array.from({ length: 10 }, (_, at) => [`198.51.100.${at + 100}`, `2001:db8:${at + 10}::1`]).flat()
    const statuses = (await Promise.all(addresses.map((address) => from(address)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect((await get()).bound_addresses.map(({ family }) => family).toSorted()).toEqual(['ipv4', 'ipv6'])
  })
})

describe('a server with the policy follow', () => {
  const follow = async () => {
    const server = await newServer({ address_policy: 'follow' })
    await server.from(V4)
    return server
  }

  test('is rejected from elsewhere while its bound address announces, and bound there once that has been silent', async () => {
    const { from, get, actions } = await follow()
    app.clock.advance(TTL_MS - 10_000)
    expect((await from(OTHER_V4)).rejection.code).toBe('ADDRESS_MISMATCH')
    app.clock.advance(11_000)
    expect((await from(OTHER_V4)).status).toBe(200)
    expect((await get()).bound_address).toBe(OTHER_V4)
    expect((await actions())[0]).toMatchObject({
      action: 'ADDRESS_MOVED',
      as: 'system',
      before: { bound_address: V4 },
      after: { family: 'ipv4', bound_address: OTHER_V4 },
    })
    expect((await from(V4)).rejection.code).toBe('ADDRESS_MISMATCH')
    const { data: inbox } = await owner.call(notifications.list)
    expect(inbox.data.map(({ type }) => type)).toContain('address.moved')
  })

  test('moves one family only, and one of twenty announces at once moves it', async () => {
    const { from, get } = await follow()
    await from(V6)
    app.clock.advance(TTL_MS)
    await from(V6)
    const statuses = await Promise.all(Array.from({ length: 20 }, async (_, at) => (await from(`203.0.113.${at + 1}`)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const { bound_addresses } = await get()
    expect(bound_addresses.map(({ family }) => family).toSorted()).toEqual(['ipv4', 'ipv6'])
    expect(bound_addresses.find(({ family }) => family === 'ipv6')?.address).toBe(V6)
  })

  test('gets an ADDRESS_MISMATCH issue when it moves more than six times within a day', async () => {
    const { id, from } = await follow()
    const issues = async () => {
      await app.findings.flush()
      return app.db.selectFrom('protection_issues').select('kind').where('server_id', '=', id).execute()
    }
    for (let move = 1; move <= 7; move += 1) {
      app.clock.advance(TTL_MS)
      expect((await from(`203.0.113.${move + 50}`)).status).toBe(200)
      if (move === 6) expect(await issues()).toEqual([])
    }
    await expect.poll(issues).toEqual([{ kind: 'ADDRESS_MISMATCH' }])
  })

  test('is rejected from elsewhere if it is banned, and the binding stays', async () => {
    const { id, from, get } = await follow()
    await app.db.updateTable('servers').set({ banned: true, banned_at: new Date() }).where('public_id', '=', id).execute()
    app.clock.advance(TTL_MS)
    await from(OTHER_V4)
    expect((await get()).bound_address).toBe(V4)
  })
})

test('the policy needs RESET_ADDRESS of a manager, and only bound and follow exist', async () => {
  const { id } = await newServer()
  const manager = await app.newUser()
  await grant(owner, manager.id, ['EDIT_DETAILS', 'EDIT_APPEARANCE'])
  const change = (policy: string) =>
    manager.call(managers.changeManaged, { params: { ownerId: owner.id, serverId: id }, body: { address_policy: policy as 'follow' } })
  expect((await change('follow')).status).toBe(403)
  await grant(owner, manager.id, ['RESET_ADDRESS'])
  expect((await change('follow')).status).toBe(200)
  const wrong = await change('moving')
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Address policy must be one of bound, follow')])
})
