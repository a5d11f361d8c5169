/** What the master list says of game servers. */

/** A server on the list. A text that is not set is empty. */
export interface ListedServer {
  /** Seven characters that never change. */
  readonly publicId: string
  /** The readable ID in the server's web address. */
  readonly vanityUrl: string
  readonly name: string
  readonly description: string
  /** At most four. */
  readonly tags: readonly string[]
  /** ISO 639-1, or `all` for multilingual or not set. */
  readonly language: string
  /** Where the server runs, as its owner chose it, such as `eu-west`. */
  readonly region: string
  readonly gameMode: string
  readonly website: string
  readonly playersCount: number
  /** False while the number of players is doubtful. The list then sorts the server as if it had none. */
  readonly playersConfirmed: boolean
  /** Slots. */
  readonly maxPlayersCount: number
  /** Players who wait to join. */
  readonly queueCount: number
  /** Whether players need a password. */
  readonly passworded: boolean
  /** Where to connect: `ip:port` with IPv6 in brackets, or the URL of the CDN. */
  readonly address: string
  readonly port: number
  /** Whether `address` is the URL of the CDN. */
  readonly useCdn: boolean
  readonly cdnUrl: string
  readonly useEarlyAuth: boolean
  readonly earlyAuthUrl: string
  readonly useVoiceChat: boolean
  /** The version of the game. */
  readonly version: string
  /** The branch of the game. */
  readonly branch: string
  /** Whether the server is online. Always true in the list. */
  readonly available: boolean
  /** Always true in the list. */
  readonly visible: boolean
  /** Always false in the list. */
  readonly banned: boolean
  /** Whether an administrator vouches for the server. */
  readonly verified: boolean
  /** Whether the server comes first in the list. */
  readonly promoted: boolean
  /** When a field last changed: ISO 8601, UTC. */
  readonly lastTimeUpdate: string
  /** Whether there is a launcher theme at `/servers/{publicId}/skin`. */
  readonly hasCustomSkin: boolean
  readonly bannerUrl: string
  readonly joinBackgroundUrl: string
  readonly masterlist_icon_url: string | null
  /** The same as `bannerUrl`. */
  readonly masterlist_banner_url: string | null
  readonly group: ListedGroup | null
}

export interface ListedGroup {
  readonly id: string
  readonly name: string
  /** Always empty. */
  readonly iconUrl: string
  /** Always false. */
  readonly pinned: boolean
}

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

  constructor(message: string, { status = 0, code = '', remedy = '', retryAfter = 0 } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.remedy = remedy
    this.retryAfter = retryAfter
  }
}
