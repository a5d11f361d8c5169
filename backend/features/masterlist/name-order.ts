/** Servers by name and then public id: the order in which the list shows those with as many players. */
import type { ServerRecord } from './server-record.ts'

export class NameOrder {
  #servers: ServerRecord[] = []
  #isStale = false
  readonly #isKnown: (server: ServerRecord) => boolean

  constructor(isKnown: (server: ServerRecord) => boolean) {
    this.#isKnown = isKnown
  }

  add(server: ServerRecord): void {
    this.#servers.push(server)
    this.#isStale = true
  }

  /** One was renamed, or is known no more. */
  spoil(): void {
    this.#isStale = true
  }

  /** Sorted again only after a server came, went or was renamed. */
  all(): readonly ServerRecord[] {
    if (this.#isStale) {
      this.#servers = this.#servers.filter((server) => this.#isKnown(server))
      this.#servers.sort(byName)
      this.#isStale = false
    }
    return this.#servers
  }
}

function byName(a: ServerRecord, b: ServerRecord): number {
  if (a.fields.name !== b.fields.name) return a.fields.name < b.fields.name ? -1 : 1
  return a.publicId < b.publicId ? -1 : 1
}
