/** A row of the list. Written by "npm run check:api -- --write"; never edit it. */

/** A server on the list. A text that is not set is empty. */
export interface ListedServer {
  /** 7 characters of 0-9A-Za-z that never change. */
  readonly publicId: string
  /** Plain text in one line. No two servers have names that look alike. */
  readonly name: string
  /** Plain text of one or more lines. */
  readonly description: string
  /** ISO 639-1, or `all` for multilingual or not set. */
  readonly language: string
  /** Where the server runs, as its owner chose it, such as `eu-west`. */
  readonly region: string
  /** Such as `Roleplay`. If the owner sets none, the list shows the announced one. */
  readonly gameMode: string
  /** At most 4. Tags that differ only in case are duplicates. */
  readonly tags: readonly string[]
  /** An http or https URL with a public host. A bare domain gets `https://`. */
  readonly website: string
  /** Whether the list shows the server: true unless its owner hides it. Always true in the list. */
  readonly visible: boolean
  /** The vanity ID, a readable ID in web addresses: `a-z`, `0-9`, and single `-` between them. */
  readonly vanityUrl: string
  /** Whether the server comes first in the list. An owner can promote one server. */
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
  /** Where to connect: `ip:port`, IPv6 in brackets, or the URL of the CDN. */
  readonly address: string
  /** As announced. */
  readonly useEarlyAuth: boolean
  /** As announced. */
  readonly earlyAuthUrl: string
  /** Whether `address` is the URL of the CDN. */
  readonly useCdn: boolean
  /** The URL of the CDN, as announced. */
  readonly cdnUrl: string
  /** As announced. */
  readonly useVoiceChat: boolean
  /** The version of the game. */
  readonly version: string
  /** The branch of the game. */
  readonly branch: string
  /** Whether the server is online. Always true in the list. */
  readonly available: boolean
  /** Always false in the list. */
  readonly banned: boolean
  /** When a field last changed, not the last announce: ISO 8601, UTC. */
  readonly lastTimeUpdate: string
  /** Whether an administrator vouches for the server. */
  readonly verified: boolean
  /** Whether there is a launcher theme at `/servers/{publicId}/skin`. */
  readonly hasCustomSkin: boolean
  /** The URL of the banner. */
  readonly bannerUrl: string
  /** The URL of the icon. */
  readonly masterlist_icon_url: string | null
  /** The same as `bannerUrl`. */
  readonly masterlist_banner_url: string | null
  /** The URL of the join background. */
  readonly joinBackgroundUrl: string
  /** The group that the server is shown in. */
  readonly group: ListedGroup | null
}

export interface ListedGroup {
  /** The value of the filter `group`. */
  readonly id: string
  readonly name: string
  /** Always empty. */
  readonly iconUrl: string
  /** Always false. */
  readonly pinned: boolean
}
