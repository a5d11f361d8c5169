/** What the master list says of game servers. */
import type { ListedServer } from './listed-server.generated.ts'

export type { ListedGroup, ListedServer } from './listed-server.generated.ts'

/** The reply to `?format=columns`: one array for each field. */
export type ListColumns = { readonly [Name in keyof ListedServer]: readonly ListedServer[Name][] }

/** The changes since a version. */
export interface ListDelta {
  readonly version: string
  /** New servers with all fields, others with the fields that changed. */
  readonly changed: readonly (Partial<ListedServer> & Pick<ListedServer, 'publicId'>)[]
  /** Public IDs of servers that left the list. */
  readonly removed: readonly string[]
}

export interface ListOptions {
  /** The address of the master list, such as `https://list.example.com`. */
  readonly url: string
  /** Seconds between polls while there is no stream. Default 5. */
  readonly pollSeconds?: number
  /** Whether to use the stream. Default true. */
  readonly stream?: boolean
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** A list that is verified, wherever it comes from. */
export interface SignedListOptions {
  /** The address of the master list. Without it, only mirrors are read. */
  readonly url?: string
  /** The public key of the list, which its operator publishes. */
  readonly publicKey: string
  /** The addresses of mirrors. The list names further ones. */
  readonly mirrors?: readonly string[]
  /** What an earlier run has seen. */
  readonly state?: SignedState | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
  /** The time in milliseconds since 1970. Replaces the clock of the machine. */
  readonly now?: () => number
}

export interface SignedServers {
  /** In the order of the list. */
  readonly servers: readonly ListedServer[]
  /** When the list was signed: ISO 8601, UTC. */
  readonly time: string
  /** The version of the list, which only rises. */
  readonly version: number
  /** The address that it came from. */
  readonly source: string
}

/** What a client has seen, as JSON. */
export interface SignedState {
  readonly publicKey: string
  /** The current root key: the public key, or a later one that it leads to. */
  readonly root: string
  /** The version of the key notes. */
  readonly keys: number
  /** The highest version of the list, and the key that signed it. */
  readonly version: number
  readonly signer: string
  readonly mirrors: readonly string[]
}

export interface ListChange {
  /** New and changed servers, complete. */
  readonly changed: readonly ListedServer[]
  /** Public IDs of servers that left the list. */
  readonly removed: readonly string[]
}

export interface ListEvents {
  /** The servers changed. The first one has the whole list. */
  change: ListChange
  /** The list cannot be read. The servers stay as they are, and attempts continue. */
  offline: ListError
  /** The list can be read again. */
  recovered: { readonly version: string | undefined }
}

/** The list rejected a call, or did not reply. */
export class ListError extends Error {
  override readonly name = 'ListError'
  /** The HTTP status; 0 without a reply. */
  readonly status: number
  /** For programs, such as `TOO_MANY_REQUESTS`; empty without a reply of the list. */
  readonly code: string
  /** What to do; empty if the message says it. */
  readonly remedy: string
  /** Seconds to wait; 0 if the list did not say. */
  readonly retryAfter: number
  /** Of a signed list: what each source did wrong. */
  readonly sources: readonly { readonly url: string; readonly message: string }[]

  constructor(message: string, { status = 0, code = '', remedy = '', retryAfter = 0, sources = [] as ListError['sources'] } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.remedy = remedy
    this.retryAfter = retryAfter
    this.sources = sources
  }
}
