/** Reads the nodes' lists and compares them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ListedServer } from '#contract/masterlist.ts'
import type { ClusterNode } from './cluster.ts'
import type { FleetServer } from './fleet.ts'
import { SIZE } from './size.ts'

export interface List {
  readonly etag: string
  /** Seconds; undefined where the list is not old. */
  readonly age: number | undefined
  readonly rows: readonly ListedServer[]
}

export async function listOf({ listUrl }: Pick<ClusterNode, 'listUrl'>): Promise<List> {
  const answer = await fetch(`${listUrl}/servers`)
  expect(answer.status).toBe(200)
  const age = answer.headers.get('age')
  return {
    etag: answer.headers.get('etag') ?? '',
    age: age === null ? undefined : Number(age),
    rows: (await answer.json()) as ListedServer[],
  }
}

/** What is wrong with these lists: empty where all are the same and show what each server's last acknowledged announce said. */
export function differences(lists: readonly List[], servers: readonly FleetServer[]): string[] {
  const wrong: string[] = []
  lists.forEach(({ rows, etag }, index) => {
    const shown = new Map(rows.map((row) => [row.publicId, row]))
    const missing = servers.filter((server) => !shown.has(server.publicId)).length
    const older = servers.filter((server) => shown.has(server.publicId) && shown.get(server.publicId)?.playersCount !== server.acknowledged)
    if (missing > 0) wrong.push(`node ${index} lacks ${missing} of ${servers.length} servers`)
    if (older.length > 0) wrong.push(`node ${index} shows something else than was acknowledged last of ${older.length} servers`)
    if (etag !== lists[0]?.etag) wrong.push(`node ${index} has another list than node 0${firstDifference(rows, lists[0]?.rows ?? [])}`)
  })
  return wrong
}

function firstDifference(rows: readonly ListedServer[], others: readonly ListedServer[]): string {
  const known = new Map(others.map((row) => [row.publicId, JSON.stringify(row)]))
  const row = rows.find((one) => known.get(one.publicId) !== JSON.stringify(one))
  if (row === undefined) return ', in another order or with fewer rows'
  return `: ${JSON.stringify(row)} here, ${known.get(row.publicId) ?? 'nothing'} there`
}

/** Waits until every node's list is the same and whole. Answers how many milliseconds that took. */
export async function untilAlike(nodes: readonly ClusterNode[], servers: readonly FleetServer[]): Promise<number> {
  const began = performance.now()
  for (;;) {
    const wrong = differences(await Promise.all(nodes.map(listOf)), servers)
    const took = performance.now() - began
    if (wrong.length === 0 && took <= SIZE.alikeWithinMs) return took
    if (wrong.length === 0) throw new Error(`The lists are alike only after ${Math.round(took)} ms.`)
    if (took > SIZE.alikeWithinMs) throw new Error(`The lists are not alike after ${Math.round(took)} ms: ${wrong.join('; ')}`)
    await sleep(25)
  }
}

export interface ListWatcher {
  /** Servers that were missing on a list although they announced all the time. */
  readonly gaps: readonly string[]
  stop(): Promise<void>
}

/** Looks again and again whether each server is on the list of each of these nodes. */
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
  // The caller of stop receives the failure.
  watching.catch(() => undefined)
  return {
    gaps,
    async stop() {
      isOver = true
      await watching
    },
  }
}
