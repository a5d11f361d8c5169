/** Nodes with wrong clocks use the database's time, so announces stay in order. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne, send } from '#tests/list/send.ts'

type Node = Pick<TestApp, 'panelUrl' | 'listUrl'>

const CLOCK_ERROR_MS = 3 * 3_600_000
const pollOptions = { timeout: 20_000, interval: 50 }
/** Tolerance for a busy machine. */
const SLACK_MS = 2500

let app: TestApp
let owner: SignedInUser
let nodes: readonly Node[]
/** Clock errors of the second and third node. */
const clockErrorsMs = [-CLOCK_ERROR_MS, CLOCK_ERROR_MS]

beforeAll(async () => {
  app = await startApp({}, { isShared: true })
  const wrong = await Promise.all([0, 1].map((index) => app.addNode({ clockErrorMs: () => clockErrorsMs[index] ?? 0 })))
  nodes = [app, ...wrong]
  owner = await fleetOwner(app)
})
afterAll(() => app.close())

const playersOnNodes = (publicId: string) =>
  Promise.all(nodes.map(async (node) => (await readList(node)).find((row) => row.publicId === publicId)?.playersCount ?? 'none'))

async function expectOnAllNodes(publicId: string, players: number | 'none'): Promise<void> {
  await expect.poll(() => playersOnNodes(publicId), pollOptions).toEqual(nodes.map(() => players))
}

/** How far a server's saved times are from the database's clock, in milliseconds. */
async function errorsOf(publicId: string): Promise<number[]> {
  const { rows } = await sql<{ announced: number; changed: number }>`
    select extract(epoch from clock_timestamp() - last_announce_at)::float8 * 1000 as announced,
      extract(epoch from clock_timestamp() - changed_at)::float8 * 1000 as changed
    from presence where server_id = ${publicId}`.execute(app.db)
  return rows.flatMap(({ announced, changed }) => [announced, changed])
}

test('announces to nodes with clocks hours apart stay in order on all nodes', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  for (let round = 0; round < 9; round += 1) {
    const node = nodes[round % 3] as Node
    expect((await announceFrom(node, credential, { playersCount: round })).status).toBe(200)
    await expectOnAllNodes(id, round)
  }
  const left = await send(`${(nodes[1] as Node).listUrl}/announce`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${credential}` },
  })
  expect(left.status).toBe(204)
  await expectOnAllNodes(id, 'none')
  expect((await announceFrom(nodes[2] as Node, credential, { playersCount: 30 })).status).toBe(200)
  await expectOnAllNodes(id, 30)
})

test('announces to a node with a wrong clock are saved and published with the correct time', async () => {
  for (const node of nodes) {
    const { public_id: id, credential } = await buildServer(owner)
    await announceFrom(node, credential)
    await expectOnAllNodes(id, 12)
    for (const error of await errorsOf(id)) expect(Math.abs(error)).toBeLessThan(pollOptions.timeout)
    const changed = Date.parse((await readOne(node, id)).lastTimeUpdate)
    expect(Math.abs(Date.now() - changed)).toBeLessThan(pollOptions.timeout)
    const { data } = await owner.at(node).call(servers.announces, { params: { id } })
    expect(Math.abs(Date.now() - Date.parse(data[0]?.at ?? ''))).toBeLessThan(pollOptions.timeout)
  }
})

test('after a clock is set at runtime, saved times become correct again, and announces stay in order', async () => {
  const { public_id: id, credential } = await buildServer(owner)
  await announceFrom(app, credential, { playersCount: 1 })
  await expectOnAllNodes(id, 1)
  clockErrorsMs[0] = 2 * CLOCK_ERROR_MS
  clockErrorsMs[1] = 0
  await expect
    .poll(async () => {
      for (const [index, node] of nodes.entries()) {
        const { public_id: other, credential: otherCredential } = await buildServer(owner)
        await announceFrom(node, otherCredential, { playersCount: index })
        await expect.poll(() => errorsOf(other), pollOptions).toHaveLength(2)
        if ((await errorsOf(other)).some((error) => Math.abs(error) > SLACK_MS)) return false
      }
      return true
    }, pollOptions)
    .toBe(true)
  for (const [index, node] of nodes.entries()) {
    expect((await announceFrom(node, credential, { playersCount: 10 + index })).status).toBe(200)
    await expectOnAllNodes(id, 10 + index)
  }
})
