/** What tests of the list's making begin with. */
import type { ListedServer } from '#contract/masterlist.ts'
import { type Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { OwnerFields } from '#backend/masterlist/registry/server-record.ts'
import { ShownLog } from '#backend/masterlist/registry/shown-log.ts'
import { announced, credentialOf, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { Changes } from './changes.ts'
import { Publisher } from './publisher.ts'
import { Versions } from './versions.ts'

/** A list without its database, and who reads it. */
export class Node {
  uptime = 1000
  readonly failures: unknown[] = []
  readonly registry = new Registry(75_000, this.at())
  readonly log = new ShownLog()
  readonly #changes: Changes
  readonly publisher: Publisher

  constructor() {
    const clock = { now: () => this.at().now, uptime: () => this.uptime }
    this.#changes = new Changes(this.log, new Versions(clock, 'a', () => false))
    this.publisher = new Publisher(clock, this.log, this.#changes, (error) => this.failures.push(error))
    this.registry.onShown = (server, how) => this.log.note(server, how)
  }

  at(): Moment {
    return { uptime: this.uptime, now: 1_800_000_000_000 + this.uptime }
  }

  list(publicId: string, fields: Partial<OwnerFields> = {}, playersCount = 1): void {
    const credential = credentialOf(publicId)
    const server = this.registry.apply(fieldsOf(publicId, fields), [credential], this.at())
    this.registry.announce(server, credential, { ...announced, playersCount }, '1.2.3.4', this.at())
  }

  tick(savedIn = 0): void {
    const [taken, at] = [this.log.take(), this.uptime]
    this.uptime += savedIn
    if (!this.log.show(taken, this.uptime)) return
    this.#changes.ticked(this.at())
    this.publisher.ticked(at)
  }

  async rows(): Promise<ListedServer[]> {
    return JSON.parse((await (await this.publisher.whole('identity')).body('identity')).toString()) as ListedServer[]
  }

  async read(): Promise<string[]> {
    return (await this.rows()).map(({ publicId }) => publicId)
  }
}
