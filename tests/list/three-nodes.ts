/** Three nodes on one database: the test's own app, one behind a fault proxy, and another one. */
import { expect, inject } from 'vitest'
import { type FaultProxy, startFaultProxy } from '#tests/fault-proxy.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { readList, send } from './send.ts'

export type Node = Pick<TestApp, 'panelUrl' | 'listUrl'>
type Nodes = readonly [app: TestApp, remote: Node, third: Node]

export const pollOptions = { timeout: 60_000, interval: 50 }

/** The second one is connected through `proxy`. */
export async function startThreeNodes(): Promise<{ nodes: Nodes; proxy: FaultProxy }> {
  const app = await startApp({}, { isShared: true })
  const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  return { nodes: [app, await app.addNode({ postgres: proxy.connection }), await app.addNode()], proxy }
}

/** A server's players on each node's list, or `none`. */
export const playersOnNodes = (nodes: Nodes, publicId: string) =>
  Promise.all(nodes.map(async (node) => (await readList(node)).find((row) => row.publicId === publicId)?.playersCount ?? 'none'))

export async function expectOnAllNodes(nodes: Nodes, publicId: string, players: number | 'none'): Promise<void> {
  await expect.poll(() => playersOnNodes(nodes, publicId), pollOptions).toEqual([players, players, players])
}

export async function listText(node: Node) {
  const { text, headers } = await send(`${node.listUrl}/servers`)
  return { text, etag: headers.etag }
}

export async function expectEqualLists(nodes: Nodes): Promise<void> {
  await expect
    .poll(async () => {
      const lists = await Promise.all(nodes.map(listText))
      return new Set(lists.flatMap(({ text, etag }) => [text, etag])).size
    }, pollOptions)
    .toBe(2)
}
