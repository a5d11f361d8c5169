/** Servers whose live states have changed since they were saved. */
import type { ServerRecord } from './server-record.ts'

/** Only the counts of players and of the queue, or anything. */
export type UnsavedScope = 'players' | 'whole'

export class UnsavedServers {
  /** May contain deleted servers and duplicates; `server.unsaved` decides. */
  #servers: ServerRecord[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(server: ServerRecord, scope: UnsavedScope = 'whole'): void {
    if (server.unsaved === '') {
      this.#servers.push(server)
      this.#size += 1
      server.unsaved = scope
    } else if (scope === 'whole') server.unsaved = scope
  }

  delete(server: ServerRecord): void {
    if (server.unsaved !== '') this.#size -= 1
    server.unsaved = ''
  }

  drain(): Record<UnsavedScope, readonly ServerRecord[]> {
    const drained: Record<UnsavedScope, ServerRecord[]> = { players: [], whole: [] }
    for (const server of this.#servers) {
      if (server.unsaved !== '') drained[server.unsaved].push(server)
      server.unsaved = ''
    }
    this.#servers = []
    this.#size = 0
    return drained
  }
}
