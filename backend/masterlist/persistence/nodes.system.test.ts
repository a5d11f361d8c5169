/** Several nodes on one database: announces, changes and expiry. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as serverCalls from '#contract/servers/servers.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import { accept } from '#contract/servers/transfers.ts'
import { banUser } from '#contract/users/users-admin.ts'
import type { FaultProxy } from '#tests/fault-proxy.ts'
import { buildServer, offer } from '#tests/factories.ts'
import type { SignedInUser, TestApp, TestUser } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne, send } from '#tests/list/send.ts'
import { type Node, expectEqualLists, expectOnAllNodes, playersOnNodes, pollOptions, startThreeNodes } from '#tests/list/three-nodes.ts'

type Created = Awaited<ReturnType<typeof buildServer>>

let app: TestApp
/** Connected through `proxy`. */
let remote: Node
let third: Node
let proxy: FaultProxy
let nodes: Awaited<ReturnType<typeof startThreeNodes>>['nodes']
let owner: SignedInUser
let administrator: TestUser
let losses = 0

beforeAll(async () => {
  ;({ nodes, proxy } = await startThreeNodes())
  ;[app, remote, third] = nodes
  owner = await fleetOwner(app)
  administrator = await app.signIn('admin')
})
afterAll(async () => {
  await app.close()
  proxy.close()
})

const leave = (node: Node, credential: string) =>
  send(`${node.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })

const takeOutageLogs = () => {
  const unexpected = app.takeLogs().filter((line) => !/other nodes|database|saving failed|reloading a server failed|could not/i.test(line))
  expect(unexpected).toEqual([])
}

test('announces to any node appear on all lists, and leaving on one node removes the server from all', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  expect((await announceFrom(remote, credential, { playersCount: 5 })).status).toBe(200)
  await expectOnAllNodes(nodes, id, 5)
  expect((await announceFrom(third, credential, { playersCount: 6 })).status).toBe(200)
  await expectOnAllNodes(nodes, id, 6)
  for (const [index, node] of [app, remote, third, remote, app].entries()) {
    expect((await announceFrom(node, credential, { playersCount: 10 + index })).status).toBe(200)
  }
  await expectOnAllNodes(nodes, id, 14)
  await expectEqualLists(nodes)
  expect((await leave(remote, credential)).status).toBe(204)
  await expectOnAllNodes(nodes, id, 'none')
  expect((await readOne(app, id)).available).toBe(false)
})

test('a credential is bound to the address of its first announce on all nodes', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  expect((await announceFrom(app, credential)).status).toBe(200)
  await expectOnAllNodes(nodes, id, 12)
  const otherAddress = { from: '127.0.0.7' }
  expect((await announceFrom(remote, credential, {}, otherAddress)).rejection.code).toBe('ADDRESS_MISMATCH')
  const left = await send(`${third.listUrl}/announce`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${credential}` },
    ...otherAddress,
  })
  expect(left.status).toBe(409)
  await expectOnAllNodes(nodes, id, 12)
  const state = async () => (await owner.call(serverCalls.get, { params: { id } })).text
  await expect.poll(state, pollOptions).toContain('127.0.0.7')
})

test('a server that announces unchanged to one node stays online on all, and a silent one expires on all', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  const marker = await buildServer(owner)
  await announceFrom(app, credential)
  await expectOnAllNodes(nodes, id, 12)
  for (let times = 1; times <= 3; times += 1) {
    app.clock.advance(40_000)
    expect((await announceFrom(app, credential)).status).toBe(200)
    app.clock.advance(3000)
    // Messages arrive in order, so the heartbeat arrived before this announce.
    await announceFrom(app, marker.credential, { playersCount: times })
    await expectOnAllNodes(nodes, marker.public_id, times)
    expect(await playersOnNodes(nodes, id)).toEqual([12, 12, 12])
  }
  app.clock.advance(80_000)
  await expectOnAllNodes(nodes, id, 'none')
  await expectEqualLists(nodes)
})

test('changes by owners and administrators on one node apply on all', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(third, credential)
  await expectOnAllNodes(nodes, id, 12)
  const reissued = await owner.call(serverCalls.reissue, { params: { id }, body: {} })
  expect((await announceFrom(remote, credential)).rejection.code).toBe('CREDENTIAL_REVOKED')
  expect((await announceFrom(third, credential)).rejection.code).toBe('CREDENTIAL_REVOKED')
  await expectOnAllNodes(nodes, id, 'none')
  const newCredential = reissued.data.credential
  expect((await announceFrom(remote, newCredential, { playersCount: 3 })).status).toBe(200)
  await expectOnAllNodes(nodes, id, 3)
  await owner.call(serverCalls.change, { params: { id }, body: { visible: false } })
  await expectOnAllNodes(nodes, id, 'none')
  await owner.call(serverCalls.change, { params: { id }, body: { visible: true } })
  await expectOnAllNodes(nodes, id, 3)
  await expectEqualLists(nodes)
  await owner.call(serverCalls.remove, { params: { id } })
  expect((await announceFrom(remote, newCredential)).status).toBe(401)
  await expectOnAllNodes(nodes, id, 'none')
})

test.for(['cut', 'stall'] as const)(
  'a disconnected node (%s) expires no server, catches up, and shares the announces it received',
  { timeout: 240_000 },
  async (fault) => {
    const other = await app.newUser()
    const created = await Promise.all([...Array.from({ length: 6 }, () => buildServer(owner)), buildServer(other)])
    const [onRemote, onFirst, deleted, banned, reissued, left, ofBannedOwner] = created as [
      Created,
      Created,
      Created,
      Created,
      Created,
      Created,
      Created,
    ]
    for (const { credential } of created) await announceFrom(app, credential)
    await announceFrom(remote, onRemote.credential, { playersCount: 1 })
    await expectOnAllNodes(nodes, onRemote.public_id, 1)
    for (const { public_id: id } of created.slice(1)) await expectOnAllNodes(nodes, id, 12)
    proxy[fault]()
    await expect.poll(() => app.allLogs().match(/connection to the other nodes lost/g)?.length ?? 0, pollOptions).toBe(losses + 1)
    losses += 1
    expect((await announceFrom(remote, onRemote.credential, { playersCount: 2 })).status).toBe(200)
    await announceFrom(app, onFirst.credential, { playersCount: 21 })
    await owner.call(serverCalls.remove, { params: { id: deleted.public_id } })
    const ban = await administrator.call(banServer, { params: { id: banned.public_id }, body: { reason: 'Testing' } })
    expect(ban.status).toBe(200)
    // A ban of the owner leaves the server's row unchanged.
    expect((await administrator.call(banUser, { params: { id: other.id }, body: { banned: true } })).status).toBe(200)
    await owner.call(serverCalls.reissue, { params: { id: reissued.public_id }, body: {} })
    await leave(app, left.credential)
    app.clock.advance(60_000)
    for (const { credential } of [onFirst, banned, ofBannedOwner]) await announceFrom(app, credential, { playersCount: 21 })
    app.clock.advance(60_000)
    // The disconnected node's list still has every server.
    await expect
      .poll(async () => (await readList(remote)).find((row) => row.publicId === onRemote.public_id)?.playersCount, pollOptions)
      .toBe(2)
    expect((await readList(remote)).map((row) => row.publicId)).toEqual(expect.arrayContaining(created.map(({ public_id: id }) => id)))
    proxy.restore()
    await expectOnAllNodes(nodes, onRemote.public_id, 2)
    await expectOnAllNodes(nodes, onFirst.public_id, 21)
    for (const { public_id: id } of [deleted, banned, reissued, left, ofBannedOwner]) await expectOnAllNodes(nodes, id, 'none')
    expect((await announceFrom(remote, reissued.credential)).rejection.code).toBe('CREDENTIAL_REVOKED')
    await expectEqualLists(nodes)
    takeOutageLogs()
  },
)

test('a node that receives a transfer late deletes no data of the new owner', { timeout: 240_000 }, async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(app, credential)
  await expectOnAllNodes(nodes, id, 12)
  const recipient = await app.newUser()
  const { id: transfer } = await offer(owner, id, recipient.id)
  proxy.cut()
  await expect.poll(() => app.allLogs().match(/connection to the other nodes lost/g)?.length ?? 0, pollOptions).toBe(losses + 1)
  losses += 1
  expect((await recipient.call(accept, { params: { id: transfer } })).status).toBe(204)
  const newCredential = (await recipient.call(serverCalls.reissue, { params: { id }, body: {} })).data.credential
  expect((await announceFrom(app, newCredential, { playersCount: 4 })).status).toBe(200)
  expect((await announceFrom(app, newCredential, { port: 0 })).status).toBe(400)
  const attempts = async () => (await recipient.call(serverCalls.announces, { params: { id } })).data.length
  await expect.poll(attempts, pollOptions).toBe(2)
  proxy.restore()
  await expectOnAllNodes(nodes, id, 4)
  await expectEqualLists(nodes)
  expect(await attempts()).toBe(2)
  expect((await announceFrom(remote, newCredential, {}, { from: '127.0.0.9' })).rejection.code).toBe('ADDRESS_MISMATCH')
  expect((await announceFrom(remote, credential)).rejection.code).toBe('CREDENTIAL_REVOKED')
  takeOutageLogs()
})
