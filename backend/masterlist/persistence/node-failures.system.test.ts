/** Nodes that start late or disappear, and live states that a database lacks after a failover. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FaultProxy } from '#tests/fault-proxy.ts'
import { buildServer } from '#tests/factories.ts'
import type { SignedInUser, TestApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne } from '#tests/list/send.ts'
import {
  type Node,
  expectEqualLists,
  expectOnAllNodes,
  listText,
  playersOnNodes,
  pollOptions,
  startThreeNodes,
} from '#tests/list/three-nodes.ts'

let app: TestApp
/** Connected through `proxy`. */
let remote: Node
let proxy: FaultProxy
let nodes: Awaited<ReturnType<typeof startThreeNodes>>['nodes']
let owner: SignedInUser

beforeAll(async () => {
  ;({ nodes, proxy } = await startThreeNodes())
  ;[app, remote] = nodes
  owner = await fleetOwner(app)
})
afterAll(async () => {
  await app.close()
  proxy.close()
})

async function nodeCountOf(node: Node): Promise<number> {
  const text = await (await fetch(`${node.panelUrl}/metrics`)).text()
  return Number(/^muster_nodes (\S+)$/m.exec(text)?.[1])
}

test('nodes save live states that the database lacks after a failover, and all lists keep every server in the meantime', async () => {
  const created = await Promise.all(Array.from({ length: 5 }, () => buildServer(owner)))
  for (const [index, { credential }] of created.entries()) await announceFrom(nodes[index % 3] as Node, credential, { playersCount: index })
  for (const [index, { public_id: id }] of created.entries()) await expectOnAllNodes(nodes, id, index)
  const ids = created.map(({ public_id: id }) => id)
  // Like a replica that is promoted before it has the last commits.
  proxy.cut()
  await app.db.deleteFrom('presence').where('server_id', 'in', ids).execute()
  proxy.restore()
  const saved = async () => (await app.db.selectFrom('presence').select('server_id').where('server_id', 'in', ids).execute()).length
  await expect
    .poll(async () => {
      for (const node of nodes) {
        const listed = (await readList(node)).map((row) => row.publicId)
        expect(listed).toEqual(expect.arrayContaining(ids))
      }
      return saved()
    }, pollOptions)
    .toBe(ids.length)
  await expectEqualLists(nodes)
  app.takeLogs()
})

test('a node that starts later has the same list', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(remote, credential, { playersCount: 9 })
  await expectOnAllNodes(nodes, id, 9)
  const added = await app.addNode()
  expect((await listText(added)).text).toBe((await listText(app)).text)
  await announceFrom(added, credential, { playersCount: 10 })
  await expectOnAllNodes(nodes, id, 10)
})

test('a silent server expires even if another node saved a later time of the same announce', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(app, credential)
  await expectOnAllNodes(nodes, id, 12)
  // Like a node that saves times and stops before it publishes them.
  await sql`update presence set last_announce_at = last_announce_at + interval '2 seconds' where server_id = ${id}`.execute(app.db)
  app.clock.advance(80_000)
  await expectOnAllNodes(nodes, id, 'none')
  const saved = async () => (await app.db.selectFrom('presence').select('online').where('server_id', '=', id).executeTakeFirst())?.online
  await expect.poll(saved, pollOptions).toBe(false)
  expect(await playersOnNodes(nodes, id)).toEqual(['none', 'none', 'none'])
})

test('a node that disappears extends no TTL, and causes at most one comparison per minute', async () => {
  const [silent, named] = [await buildServer(owner), await buildServer(owner)]
  await announceFrom(app, silent.credential)
  await expectOnAllNodes(nodes, silent.public_id, 12)
  const joinAndDisappear = async () => {
    const known = await nodeCountOf(app)
    const id = '00000000-0000-4000-8000-000000000000'
    const connection = { host: inject('socketFolder'), user: 'postgres', database: await nameOf(app) }
    const client = new pg.Client({ ...connection, application_name: `muster node ${id}` })
    await client.connect()
    await sql`insert into nodes (id, version) values (${id}, '1.3')`.execute(app.db)
    await expect.poll(() => nodeCountOf(app), pollOptions).toBe(known + 1)
    await client.end()
    await sql`delete from nodes where id = ${id}`.execute(app.db)
    await expect.poll(() => nodeCountOf(app), pollOptions).toBe(known)
  }
  const renameUnpublished = async (name: string) => {
    await app.db.updateTable('servers').set({ name }).where('public_id', '=', named.public_id).execute()
  }
  const publishedName = async () => (await readOne(app, named.public_id)).name
  await renameUnpublished('Unpublished first')
  app.clock.advance(70_000)
  await announceFrom(app, named.credential)
  await joinAndDisappear()
  await expect.poll(publishedName, pollOptions).toBe('Unpublished first')
  await renameUnpublished('Unpublished second')
  await joinAndDisappear()
  app.clock.advance(6000)
  await expectOnAllNodes(nodes, silent.public_id, 'none')
  expect(await publishedName()).toBe('Unpublished first')
  await announceFrom(app, named.credential)
  app.clock.advance(60_000)
  await expect.poll(publishedName, pollOptions).toBe('Unpublished second')
})

const nameOf = async ({ db }: Pick<TestApp, 'db'>) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]?.name ?? ''
