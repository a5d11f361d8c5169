/** A server's row on the list. */
import { hash } from 'node:crypto'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import { LIST_FIELDS, type ListName } from '#contract/servers/server-field-shapes.ts'
import { endpointOf } from './endpoint.ts'
import { type AnnouncedState, NEVER_ANNOUNCED, type OwnerFields, type ServerRecord } from './server-record.ts'

export type RowSource = Readonly<Pick<ServerRecord, 'fields' | 'announced' | 'address' | 'otherAddress' | 'online' | 'changedAt'>>

export type AnnouncedRow = Pick<RowSource, 'fields'> & { readonly announced: AnnouncedState }

/** `playersCount` is 0 to 4096. */
const PLAYER_RANKS = 4097

/** A listed server as readers see it. Immutable. */
export class PublishedRow implements RowSource {
  readonly fields: OwnerFields
  readonly announced: AnnouncedState
  readonly address: string
  readonly otherAddress: string
  readonly changedAt: number
  /** The list's first sort key. Stored, because its inputs are scattered in memory. */
  readonly rank: number
  #json: string | undefined
  #digest: string | undefined

  constructor({ fields, address, otherAddress, changedAt }: RowSource, announced: AnnouncedState) {
    this.fields = fields
    this.announced = announced
    this.address = address
    this.otherAddress = otherAddress
    this.changedAt = changedAt
    this.rank = rankOf(this)
  }

  get online(): boolean {
    return true
  }

  /** Written once, because most rows are the same in the next list. */
  get json(): string {
    this.#json ??= rowJson(this)
    return this.#json
  }

  get hasJson(): boolean {
    return this.#json !== undefined
  }

  /** Equal for equal rows, on every node. */
  get digest(): string {
    this.#digest ??= hash('sha256', this.json, 'base64')
    return this.#digest
  }
}

const NOWHERE = { address: '', addresses: [], host: '' } as const

/** Where players connect: the endpoint, or the CDN instead of it. All empty before the first announce. */
export function listedEndpoint(
  source: Pick<RowSource, 'fields' | 'announced' | 'address' | 'otherAddress'>,
): Pick<ListedServer, 'address' | 'addresses' | 'host'> {
  if (source.announced?.useCdn === true) return { ...NOWHERE, addresses: [], address: source.announced.cdnUrl }
  const { address, addresses, host } = endpointOf(source) ?? NOWHERE
  return { address, addresses: [...addresses], host }
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

const listFields = (fields: OwnerFields) =>
  Object.fromEntries(LIST_FIELDS.map(({ name }) => [name, fields[name]])) as Pick<ListedServer, ListName>

const isoTime = ({ changedAt }: Pick<RowSource, 'changedAt'>) => new Date(changedAt).toISOString()

/** Builds the row as it is sent. Strings are never null. An offline server keeps its last state, without players. */
export function listedServer(server: RowSource): ListedServer {
  const { fields, online, announced = NEVER_ANNOUNCED } = server
  const { cosmetics } = fields
  return {
    publicId: fields.publicId,
    ...listFields(fields),
    playersCount: online ? announced.playersCount : 0,
    playersConfirmed: isConfirmed(server),
    maxPlayersCount: announced.maxPlayersCount,
    queueCount: online ? announced.queueCount : 0,
    passworded: announced.passworded,
    port: announced.port,
    ...listedEndpoint(server),
    useEarlyAuth: announced.useEarlyAuth,
    earlyAuthUrl: announced.earlyAuthUrl,
    useCdn: announced.useCdn,
    cdnUrl: announced.cdnUrl,
    useVoiceChat: announced.useVoiceChat,
    version: announced.version,
    branch: announced.branch,
    available: online,
    banned: fields.ban !== undefined || fields.ownerBan !== undefined,
    gameMode: gameModeOf({ fields, announced }),
    lastTimeUpdate: isoTime(server),
    verified: fields.verified,
    // Promotion has no effect on an unranked server.
    promoted: fields.promoted && !fields.enforcement.isUnranked,
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
  return JSON.stringify({ publicId, playersCount, queueCount, lastTimeUpdate: isoTime({ changedAt }) })
}
