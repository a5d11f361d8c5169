/** Servers whose live state has not been saved since it changed, and how much of it has changed. */
import type { ServerRecord } from './server-record.ts'

/** Only how many play and wait; or anything. */
export type Unsaved = 'players' | 'whole'

export interface TakenUnsaved {
  readonly players: readonly ServerRecord[]
  readonly whole: readonly ServerRecord[]
}

export class UnsavedServers {
  /** One that was let go of stands here still, and may stand here twice: its `unsaved` says what is so. */
  #servers: ServerRecord[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(server: ServerRecord, how: Unsaved = 'whole'): void {
    if (server.unsaved === '') {
      this.#servers.push(server)
      this.#size += 1
      server.unsaved = how
    } else if (how === 'whole') server.unsaved = how
  }

  /** It need not be saved any more. */
  delete(server: ServerRecord): void {
    if (server.unsaved !== '') this.#size -= 1
    server.unsaved = ''
  }

  /** All of them; from now on none is. */
  take(): TakenUnsaved {
    const taken = { players: [] as ServerRecord[], whole: [] as ServerRecord[] }
    for (const server of this.#servers) {
      if (server.unsaved !== '') taken[server.unsaved].push(server)
      server.unsaved = ''
    }
    this.#servers = []
    this.#size = 0
    return taken
  }
}
