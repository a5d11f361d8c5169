/** Servers whose live states have changed since they were saved. */
import type { ServerRecord } from './server-record.ts'

/** Only the counts of players and of the queue, or anything. */
type UnsavedScope = 'players' | 'whole'

export class UnsavedServers {
  #scopes = new Map<ServerRecord, UnsavedScope>()

  get size(): number {
    return this.#scopes.size
  }

  add(server: ServerRecord, scope: UnsavedScope = 'whole'): void {
    if (scope === 'whole' || !this.#scopes.has(server)) this.#scopes.set(server, scope)
  }

  delete(server: ServerRecord): void {
    this.#scopes.delete(server)
  }

  drain(): Record<UnsavedScope, readonly ServerRecord[]> {
    const { players = [], whole = [] } = Object.groupBy(this.#scopes.keys(), (server) => this.#scopes.get(server) ?? 'whole')
    this.#scopes = new Map()
    return { players, whole }
  }
}
