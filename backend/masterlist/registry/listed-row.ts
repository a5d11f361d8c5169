/** A server's row on the list (contract section 11). */
import type { ListedServer } from '#contract/masterlist.ts'
import { type AnnouncedState, NEVER_ANNOUNCED, type OwnerFields, type ServerRecord } from './server-record.ts'

export type RowSource = Readonly<Pick<ServerRecord, 'fields' | 'announced' | 'address' | 'online' | 'changedAt'>>

export type AnnouncedRow = Pick<RowSource, 'fields'> & { readonly announced: AnnouncedState }

/** `playersCount` is 0 to 4096 (contract section 11). */
const PLAYER_RANKS = 4097

/** A listed server as readers see it. Immutable except for `textIndex`. */
export class PublishedRow implements RowSource {
  readonly fields: OwnerFields
  readonly announced: AnnouncedState
  readonly address: string
  readonly changedAt: number
  /** The list's first sort key. Stored, because its inputs are scattered in memory. */
  readonly rank: number
  /** Position in the last text of the whole list (lists/list-text.ts); -1 for none. */
  textIndex = -1

  constructor({ fields, address, changedAt }: RowSource, announced: AnnouncedState) {
    this.fields = fields
    this.announced = announced
    this.address = address
    this.changedAt = changedAt
    this.rank = rankOf(this)
  }

  get online(): boolean {
    return true
  }
}

/** Returns `ip:port` (IPv6 in brackets) or the CDN's address; empty before the first announce. */
export function listedAddress({ announced, address }: Pick<RowSource, 'announced' | 'address'>): string {
  if (announced === undefined) return ''
  if (announced.useCdn) return announced.cdnUrl
  return `${address.includes(':') ? `[${address}]` : address}:${announced.port}`
}

/** The owner's game mode takes precedence over the announced one. */
export const gameModeOf = ({ fields, announced }: AnnouncedRow) => (fields.gameMode === '' ? announced.gameMode : fields.gameMode)

/** Whether the announced number of players counts as confirmed. */
export function isConfirmed({ fields, announced }: Pick<RowSource, 'fields' | 'announced'>): boolean {
  return !fields.enforcement.arePlayersUnconfirmed && announced?.isFarAboveSlots !== true
}

/** Ascending; rows of one rank are sorted by name, then by public ID. */
function rankOf(source: Pick<PublishedRow, 'fields' | 'announced'>): number {
  const { fields, announced } = source
  if (fields.enforcement.isUnranked) return PLAYER_RANKS * 2
  return PLAYER_RANKS - 1 - (isConfirmed(source) ? announced.playersCount : 0) + (fields.promoted ? 0 : PLAYER_RANKS)
}

/** Builds the row as it is sent. Strings are never null. An offline server keeps its last state, without players. */
export function listedServer(server: RowSource): ListedServer {
  const { fields, online, announced = NEVER_ANNOUNCED } = server
  const { cosmetics } = fields
  return {
    publicId: fields.publicId,
    name: fields.name,
    playersCount: online ? announced.playersCount : 0,
    playersConfirmed: isConfirmed(server),
    maxPlayersCount: announced.maxPlayersCount,
    queueCount: online ? announced.queueCount : 0,
    passworded: announced.passworded,
    port: announced.port,
    address: listedAddress(server),
    language: fields.language,
    region: fields.region,
    useEarlyAuth: announced.useEarlyAuth,
    earlyAuthUrl: announced.earlyAuthUrl,
    useCdn: announced.useCdn,
    cdnUrl: announced.cdnUrl,
    useVoiceChat: announced.useVoiceChat,
    version: announced.version,
    branch: announced.branch,
    available: online,
    banned: fields.ban !== undefined || fields.ownerBan !== undefined,
    vanityUrl: fields.vanityUrl,
    website: fields.website,
    gameMode: gameModeOf({ fields, announced }),
    description: fields.description,
    tags: [...fields.tags],
    lastTimeUpdate: isoTime(server.changedAt),
    verified: fields.verified,
    // Promotion has no effect on an unranked server.
    promoted: fields.promoted && !fields.enforcement.isUnranked,
    visible: fields.visible,
    hasCustomSkin: cosmetics.hasTheme,
    bannerUrl: cosmetics.bannerUrl,
    masterlist_icon_url: cosmetics.iconUrl,
    masterlist_banner_url: cosmetics.bannerUrl === '' ? null : cosmetics.bannerUrl,
    joinBackgroundUrl: cosmetics.joinBackgroundUrl,
    group: cosmetics.group === null ? null : { ...cosmetics.group, iconUrl: '', pinned: false },
  }
}

export function rowJson(server: RowSource): string {
  return JSON.stringify(listedServer(server))
}

/** The delta's row if only the counts have changed. */
export function countsJson({ fields: { publicId }, announced: { playersCount, queueCount }, changedAt }: PublishedRow): string {
  return JSON.stringify({ publicId, playersCount, queueCount, lastTimeUpdate: isoTime(changedAt) })
}

const DAY_MS = 86_400_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

let lastDay = Number.NaN
let lastDayText = ''

/** `toISOString` at a tenth of its cost, because consecutive times usually fall on one day. */
function isoTime(at: number): string {
  const whole = Math.trunc(at)
  const day = Math.floor(whole / DAY_MS)
  if (day !== lastDay) {
    lastDayText = new Date(day * DAY_MS).toISOString().slice(0, -13)
    lastDay = day
  }
  const rest = whole - day * DAY_MS
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`
  return `${lastDayText}${clock}.${String(rest % 1000).padStart(3, '0')}Z`
}
