/** How many servers and players the list shows: made once a change. */
import type { ShownLog } from '#backend/masterlist/registry/shown-log.ts'
import type { Changes } from './changes.ts'
import { etagOf } from './snapshot.ts'

export interface Info {
  readonly version: string
  readonly json: string
  readonly etag: string
}

export class ListInfo {
  readonly #log: ShownLog
  readonly #changes: Changes
  #info: Info | undefined

  constructor(log: ShownLog, changes: Changes) {
    this.#log = log
    this.#changes = changes
  }

  get(): Info {
    const { version } = this.#changes
    if (this.#info?.version === version) return this.#info
    const json = JSON.stringify({ serversCount: this.#log.servers, playersCount: this.#log.players })
    this.#info = { version, json, etag: etagOf(json) }
    return this.#info
  }
}
