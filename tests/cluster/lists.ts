/** Reads the nodes' lists and compares them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import type { ClusterNode } from './cluster.ts'
import type { FleetServer } from './fleet.ts'
import { SIZE } from './size.ts'

export interface List {
  readonly etag: string
  /** Seconds; undefined if the list is current. */
  readonly age: number | undefined
  readonly rows: readonly ListedServer[]
}

export async function listOf({ listUrl }: Pick<ClusterNode, 'listUrl'>): Promise<List> {
  const response = await fetch(`${listUrl}/servers`)
  expect(response.status).toBe(200)
  const age = response.headers.get('age')
  return {
    etag: response.headers.get('etag') ?? '',
    age: age === null ? undefined : Number(age),
    rows: (await response.json()) as ListedServer[],
  }
}

/** Describes what is wrong; empty if all lists are equal and show the last accepted announce of every server. */
export function differences(lists: readonly List[], servers: readonly FleetServer[]): string[] {
  const wrong: string[] = []
  lists.forEach(({ rows, etag }, index) => {
    const shown = new Map(rows.map((row) => [row.publicId, row]))
    const missing = servers.filter((server) => !shown.has(server.publicId)).length
    const outdated = servers.filter(
      (server) => shown.has(server.publicId) && shown.get(server.publicId)?.playersCount !== server.acknowledged,
    )
    if (missing > 0) wrong.push(`node ${index} lacks ${missing} of ${servers.length} servers`)
    if (outdated.length > 0) wrong.push(`node ${index} shows outdated announces of ${outdated.length} servers`)
    if (etag !== lists[0]?.etag) wrong.push(`node ${index} differs from node 0${firstDifference(rows, lists[0]?.rows ?? [])}`)
  })
  return wrong
}

function firstDifference(rows: readonly ListedServer[], others: readonly ListedServer[]): string {
  const othersById = new Map(others.map((row) => [row.publicId, JSON.stringify(row)]))
  const row = rows.find((one) => othersById.get(one.publicId) !== JSON.stringify(one))
  if (row === undefined) return ', in another order or with fewer rows'
  return `: ${JSON.stringify(row)} here, ${othersById.get(row.publicId) ?? 'nothing'} there`
}

/** Waits until the lists of all nodes are equal and complete. Returns the milliseconds. */
export async function waitUntilEqual(nodes: readonly ClusterNode[], servers: readonly FleetServer[]): Promise<number> {
  const began = performance.now()
  for (;;) {
    const wrong = differences(await Promise.all(nodes.map(listOf)), servers)
    const took = performance.now() - began
    if (wrong.length === 0 && took <= SIZE.equalWithinMs) return took
    if (wrong.length === 0) throw new Error(`The lists became equal only after ${Math.round(took)} ms.`)
    if (took > SIZE.equalWithinMs) throw new Error(`The lists are not equal after ${Math.round(took)} ms: ${wrong.join('; ')}`)
    await sleep(25)
  }
}

export interface ListWatcher {
  /** Servers that were missing from a list although they kept announcing. */
  readonly gaps: readonly string[]
  stop(): Promise<void>
}

/** Polls whether every server is on the list of each of these nodes. */
export function watchLists(nodes: readonly ClusterNode[], servers: readonly FleetServer[]): ListWatcher {
  const gaps: string[] = []
  const began = performance.now()
  let isOver = false
  const look = async (node: ClusterNode, index: number) => {
    const shown = new Set((await listOf(node)).rows.map((row) => row.publicId))
    const missing = servers.filter((server) => !shown.has(server.publicId))
    const after = ((performance.now() - began) / 1000).toFixed(1)
    if (missing.length > 0) gaps.push(`after ${after} s node ${index} lacked ${missing.length}, ${missing[0]?.publicId} among them`)
  }
  const watching = (async () => {
    while (!isOver) {
      await Promise.all(nodes.map(look))
      await sleep(100)
    }
  })()
  // stop() rethrows the error.
  watching.catch(() => undefined)
  return {
    gaps,
    async stop() {
      isOver = true
      await watching
    },
  }
}
