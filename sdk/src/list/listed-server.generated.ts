/** A row of the list. Written by "npm run check:api -- --write"; never edit it. */

/** A server on the list. Strings that are not set are empty, unless a field says otherwise. */
export interface ListedServer {
  /** 7 characters of 0-9A-Za-z that never change. */
  readonly publicId: string
  /** Plain text in one line. Look-alike names are rejected. */
  readonly name: string
  /** Plain text of one or more lines. */
  readonly description: string
  /** An ISO 639-1 code of `availableLanguages`, or `all` if multilingual or not set. */
  readonly language: string
  /** Where the server runs, as its owner chose it, such as `eu-west`. */
  readonly region: string
  /** The game mode, such as `Roleplay`. If the owner sets none, the list shows the announced one. */
  readonly gameMode: string
  /** At most 4. Tags that differ only in case are duplicates. */
  readonly tags: readonly string[]
  /** An http or https URL with a public host. If the scheme is missing, `https://` is added. */
  readonly website: string
  /** Whether the owner lets the list show the server. True by default, and always true in the list. */
  readonly visible: boolean
  /** The vanity ID, a readable ID for URLs: `a-z`, `0-9`, and single hyphens, but none at either end. */
  readonly vanityUrl: string
  /** Whether the server is among the promoted ones, which come first. Each owner has at most one. */
  readonly promoted: boolean
  /** Connected players. */
  readonly playersCount: number
  /** False while the number of players is doubtful. The list then sorts the server as if it had none. */
  readonly playersConfirmed: boolean
  /** Slots. */
  readonly maxPlayersCount: number
  /** Players who wait to join. */
  readonly queueCount: number
  /** Whether players need a password. */
  readonly passworded: boolean
  /** The announced port. */
  readonly port: number
  /** Where to connect: `host:port` of a proven name, `ip:port` with IPv6 in brackets, or the URL of the CDN. IPv4 comes first. */
  readonly address: string
  /** Every `ip:port` where players reach the server, of both families, IPv4 first. Empty behind a CDN. */
  readonly addresses: readonly string[]
  /** The name that the server announced as its host, once it is proven. Else empty. */
  readonly host: string
  /** Whether early auth is on: announced, with an `earlyAuthUrl`. */
  readonly useEarlyAuth: boolean
  /** The URL for early auth, as announced. */
  readonly earlyAuthUrl: string
  /** Whether `address` is the URL of the CDN. */
  readonly useCdn: boolean
  /** The URL of the CDN, as announced. */
  readonly cdnUrl: string
  /** Whether the server has voice chat, as announced. */
  readonly useVoiceChat: boolean
  /** The version of the game. */
  readonly version: string
  /** The branch of the game. */
  readonly branch: string
  /** Whether the server is online. Always true in the list. */
  readonly available: boolean
  /** Always false in the list. */
  readonly banned: boolean
  /** When a field last changed: ISO 8601, UTC. An announce that changes nothing does not count. */
  readonly lastTimeUpdate: string
  /** Whether an administrator vouches for the server. */
  readonly verified: boolean
  /** Whether there is a launcher theme at `/servers/{publicId}/skin`. */
  readonly hasCustomSkin: boolean
  /** The URL of the banner. */
  readonly bannerUrl: string
  /** The URL of the icon. Null without one. */
  readonly masterlist_icon_url: string | null
  /** The same as `bannerUrl`, but null without a banner. */
  readonly masterlist_banner_url: string | null
  /** The URL of the join background. */
  readonly joinBackgroundUrl: string
  /** The group of the server. Null without one. */
  readonly group: ListedGroup | null
}

export interface ListedGroup {
  /** The filter `group` takes it. */
  readonly id: string
  readonly name: string
  /** Always empty. */
  readonly iconUrl: string
  /** Always false. */
  readonly pinned: boolean
}
