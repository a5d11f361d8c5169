/** Calls of players and owners, through the load balancer, in a loop each. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadBalancer } from '#tests/cluster/load-balancer.ts'
import { call } from '#tests/cluster/panel-call.ts'
import type { Community } from './community.ts'

const EVERY_MS = 50

interface LoadResult {
  readonly calls: number
  /** What failed and why, one for each call. */
  readonly failures: readonly string[]
  /** The longest time in which one kind of call got no successful reply. */
  readonly longestMs: number
}

/** Reads the list, and an owner's servers, and changes one. Each waits for its reply, for as long as it takes. */
export function startLoad(balancer: LoadBalancer, { owners, servers }: Community): { stop(): Promise<LoadResult> } {
  const failures: string[] = []
  let [calls, longestMs, isOver] = [0, 0, false]
  const repeat = async (what: string, once: () => Promise<number>) => {
    let answered = performance.now()
    while (!isOver) {
      const status = await once().catch((error: unknown) => String(error))
      calls += 1
      if (status === 200) {
        longestMs = Math.max(longestMs, performance.now() - answered)
        answered = performance.now()
      } else failures.push(`${what}: ${status}`)
      await sleep(EVERY_MS)
    }
    longestMs = Math.max(longestMs, performance.now() - answered)
  }
  const cookie = owners[0]?.cookie ?? ''
  const panel = async (route: string, body?: unknown) => (await call(balancer.panelUrl, cookie, route, body)).status
  const readList = async () => {
    const response = await fetch(`${balancer.listUrl}/servers`)
    const rows = (await response.json()) as unknown[]
    return rows.length >= servers.length ? response.status : 0
  }
  const loops = [
    repeat('GET /servers', readList),
    repeat('GET /api/users/tokens', () => panel('GET /api/users/tokens')),
    repeat('PATCH /api/users/tokens', () => panel(`PATCH /api/users/tokens/${servers[0]?.publicId}`, { description: `Changed ${calls}` })),
  ]
  return {
    async stop() {
      isOver = true
      await Promise.all(loops)
      return { calls, failures, longestMs }
    },
  }
}
