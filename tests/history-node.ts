/** A node that samples servers of its own, for tests of the history. */
import { type OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { announced, fieldsOf } from '#tests/list/registry.ts'
import { DatabaseUnavailable } from '#backend/platform/database/failure.ts'
import { PlayerSampler } from '#backend/services/history/player-sampler.ts'
import type { TestApp } from './harness.ts'

/** The test controls its clock, servers and connection. */
export function historyNode(app: Pick<TestApp, 'db'>, now: number) {
  const servers = new Map<string, ServerRecord>()
  const clock = { current: now, now: () => clock.current, uptime: () => clock.current }
  const connection = { isDown: false }
  const deps = {
    clock,
    get db() {
      if (connection.isDown) throw new DatabaseUnavailable()
      return app.db
    },
  }
  const registry = { get: (publicId: string) => servers.get(publicId), all: () => servers.values() }
  const sampler = new PlayerSampler(deps, () => servers.values())
  const add = (publicId: string, overrides: Partial<OwnerFields> = {}, online = true) => {
    const server = new ServerRecord(fieldsOf(publicId, overrides))
    Object.assign(server, { online, announced })
    servers.set(publicId, server)
  }
  const setPlayers = (publicId: string, playersCount: number) =>
    Object.assign(servers.get(publicId) ?? {}, { announced: { ...announced, playersCount } })
  /** Samples the next minutes. Writes them unless the connection is down. */
  const sampleMinutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      clock.current += 60_000
      await sampler.sample(() => {})
    }
    if (!connection.isDown) await sampler.flush()
  }
  return { servers, clock, connection, deps, registry, sampler, add, setPlayers, sampleMinutes }
}
