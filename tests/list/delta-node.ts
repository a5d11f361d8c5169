/** A node's list without a database, for tests of deltas. */
import { expect } from 'vitest'
import type { ListDelta, ListedServer } from '#contract/masterlist/masterlist.ts'
import { Deltas } from '#backend/masterlist/lists/deltas.ts'
import { Versions } from '#backend/masterlist/persistence/versions.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { listedServer } from '#backend/masterlist/registry/listed-row.ts'
import { type Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { OwnerFields } from '#backend/masterlist/registry/server-record.ts'
import { addressOf, announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'

const TTL = 75_000
const START = 1_800_000_000_000

/** A node's list without a database. Tests run its cycles. */
export class DeltaNode {
  uptime = 1000
  /** How far the wall clock is set from the correct time. */
  skew = 0
  isBehind = false
  readonly registry = new Registry(TTL)
  readonly log = new ChangeLog()
  readonly changes: Deltas
  readonly #versions: Versions

  constructor(epoch: string, skew = 0) {
    this.skew = skew
    this.#versions = new Versions({ now: () => this.at().now, uptime: () => this.uptime }, epoch, () => this.isBehind)
    this.changes = new Deltas(this.log, this.#versions)
    this.registry.onListChange = (server, change) => this.log.enqueue(server, change)
  }

  at(): Moment {
    return { uptime: this.uptime, now: START + this.uptime + this.skew }
  }

  /** @param ms the time that passes first, with cycles running. */
  tick(ms = 250): void {
    for (const end = this.uptime + ms; this.uptime < end;) {
      this.uptime = Math.min(end, this.uptime + 1000)
      this.#versions.onCycle(this.at())
    }
    this.registry.expire(this.at())
    if (!this.log.commit(this.log.drain(), this.uptime)) return
    this.#versions.assign(this.log.tick, this.at())
    this.changes.publishTick()
  }

  own(publicId: string, fields: Partial<OwnerFields> = {}): void {
    const before = this.registry.get(publicId)
    const updatedAt = this.at().now
    this.registry.apply({ ...(before?.fields ?? fieldsOf(publicId)), ...fields, updatedAt }, [credentialOf(publicId)], this.at())
  }

  announce(publicId: string, playersCount: number, overrides: Partial<typeof announced> = {}): void {
    const server = this.registry.get(publicId)
    if (server !== undefined)
      this.registry.announce(server, credentialOf(publicId), { ...announced, playersCount, ...overrides }, addressOf(publicId), this.at())
  }

  list(): ListedServer[] {
    return this.log.rows().map((row) => listedServer(row))
  }

  delta(version: string): ListDelta {
    const json = this.changes.deltaJson(version)
    expect(['too-old', 'invalid']).not.toContain(json)
    return JSON.parse(json) as ListDelta
  }
}
