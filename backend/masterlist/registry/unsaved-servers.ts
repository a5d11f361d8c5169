/** Servers whose live state has changed since it was saved. */
import type { ServerRecord } from './server-record.ts'

/** Only the numbers of players and of those in the queue; or anything. */
export type UnsavedScope = 'players' | 'whole'

export class UnsavedServers {
  /** May hold deleted servers, and one twice: `server.unsaved` decides. */
  #servers: ServerRecord[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(server: ServerRecord, how: UnsavedScope = 'whole'): void {
    if (server.unsaved === '') {
      this.#servers.push(server)
      this.#size += 1
      server.unsaved = how
    } else if (how === 'whole') server.unsaved = how
  }

  delete(server: ServerRecord): void {
    if (server.unsaved !== '') this.#size -= 1
    server.unsaved = ''
  }

  drain(): Record<UnsavedScope, readonly ServerRecord[]> {
    const taken: Record<UnsavedScope, ServerRecord[]> = { players: [], whole: [] }
    for (const server of this.#servers) {
      if (server.unsaved !== '') taken[server.unsaved].push(server)
      server.unsaved = ''
    }
    this.#servers = []
    this.#size = 0
    return taken
  }
}
