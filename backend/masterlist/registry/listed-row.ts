/** A server's row on the list (contract section 11). */
import type { ListedServer } from '#contract/masterlist.ts'
import { NO_SETUP } from './announced.ts'
import type { Announced, OwnerFields } from './server-record.ts'

export interface RowSource {
  readonly fields: OwnerFields
  readonly announced: Announced | undefined
  readonly address: string
  readonly online: boolean
  /** Wall milliseconds of the last change that players see. */
  readonly changedAt: number
}

/** `playersCount` is 0 to 4096 (contract section 11). */
const PLAYER_STEPS = 4097
export const STEPS = PLAYER_STEPS * 2 + 1

/** A listed server as players see it: immutable but for its place. */
export class ShownRow implements RowSource {
  readonly fields: OwnerFields
  readonly announced: Announced
  readonly address: string
  readonly changedAt: number
  /** The list's first sort key. Stored, because what it is computed from lies far apart in memory. */
  readonly step: number
  /** In the last text of the whole list (lists/list-text.ts); -1 for none. */
  place = -1

  constructor({ fields, address, changedAt }: RowSource, announced: Announced) {
    this.fields = fields
    this.announced = announced
    this.address = address
    this.changedAt = changedAt
    this.step = stepOf(this)
  }

  /** As all listed servers. */
  get online(): boolean {
    return true
  }
}

/** Of a server that never announced. */
const NOTHING: Announced = { port: 0, playersCount: 0, isAboveSlots: false, maxPlayersCount: 0, queueCount: 0, setup: NO_SETUP }

/** `ip:port`, IPv6 in brackets, or the CDN's address; empty before the first announce. */
export function shownAddress({ announced, address }: Pick<RowSource, 'announced' | 'address'>): string {
  if (announced === undefined) return ''
  if (announced.setup.useCdn) return announced.setup.cdnUrl
  return `${address.includes(':') ? `[${address}]` : address}:${announced.port}`
}

/** Whether the announced number of players is believed. */
export function isConfirmed({ fields, announced }: Pick<RowSource, 'fields' | 'announced'>): boolean {
  return !fields.standing.arePlayersDoubted && announced?.isAboveSlots !== true
}

/** The smallest comes first; rows of one step are sorted by name and public id. */
function stepOf(source: Pick<ShownRow, 'fields' | 'announced'>): number {
  const { fields, announced } = source
  if (fields.standing.isUnranked) return PLAYER_STEPS * 2
  return PLAYER_STEPS - 1 - (isConfirmed(source) ? announced.playersCount : 0) + (fields.promoted ? 0 : PLAYER_STEPS)
}

function isBanned({ ban, ownerBan }: OwnerFields): boolean {
  return ban !== undefined || ownerBan !== undefined
}

type Values = { readonly [Field in keyof ListedServer]: (server: RowSource) => ListedServer[Field] }

const liveOf = (server: RowSource) => server.announced ?? NOTHING
const setupOf = (server: RowSource) => liveOf(server).setup

/** Texts are never null. An offline server keeps its last state, without players. */
export const LISTED: Values = {
  publicId: ({ fields }) => fields.publicId,
  name: ({ fields }) => fields.name,
  playersCount: (server) => (server.online ? liveOf(server).playersCount : 0),
  playersConfirmed: isConfirmed,
  maxPlayersCount: (server) => liveOf(server).maxPlayersCount,
  queueCount: (server) => (server.online ? liveOf(server).queueCount : 0),
  passworded: (server) => setupOf(server).passworded,
  port: (server) => liveOf(server).port,
  address: shownAddress,
  language: ({ fields }) => fields.language,
  useEarlyAuth: (server) => setupOf(server).useEarlyAuth,
  earlyAuthUrl: (server) => setupOf(server).earlyAuthUrl,
  useCdn: (server) => setupOf(server).useCdn,
  cdnUrl: (server) => setupOf(server).cdnUrl,
  useVoiceChat: (server) => setupOf(server).useVoiceChat,
  version: (server) => setupOf(server).version,
  branch: (server) => setupOf(server).branch,
  available: ({ online }) => online,
  banned: ({ fields }) => isBanned(fields),
  vanityUrl: ({ fields }) => fields.vanityUrl,
  website: ({ fields }) => fields.website,
  gameMode: (server) => (server.fields.gameMode === '' ? setupOf(server).gameMode : server.fields.gameMode),
  description: ({ fields }) => fields.description,
  tags: ({ fields }) => [...fields.tags],
  lastTimeUpdate: ({ changedAt }) => timeText(changedAt),
  verified: ({ fields }) => fields.verified,
  // An unranked server is not lifted by its promotion.
  promoted: ({ fields }) => fields.promoted && !fields.standing.isUnranked,
  visible: ({ fields }) => fields.visible,
  hasCustomSkin: ({ fields }) => fields.looks.hasSkin,
  bannerUrl: ({ fields }) => fields.looks.bannerUrl,
  masterlist_icon_url: ({ fields }) => fields.looks.iconUrl,
  masterlist_banner_url: ({ fields }) => (fields.looks.bannerUrl === '' ? null : fields.looks.bannerUrl),
  joinBackgroundUrl: ({ fields }) => fields.looks.joinBackgroundUrl,
  group: ({ fields: { looks } }) => (looks.group === null ? null : { ...looks.group, iconUrl: '', pinned: false }),
}

/** The row in a delta where only the players have changed. */
export function countsJson({ fields, announced, changedAt }: ShownRow): string {
  return `{"publicId":${quoted(fields.publicId)},"playersCount":${announced.playersCount},"queueCount":${announced.queueCount},"lastTimeUpdate":"${timeText(changedAt)}"}`
}

/** The JSON of all fields of `LISTED`, by hand for speed. */
export function rowJson(server: RowSource): string {
  const { fields, online } = server
  const { looks } = fields
  const live = liveOf(server)
  const { setup } = live
  const bannerUrl = quoted(looks.bannerUrl)
  return (
    `{"publicId":${quoted(fields.publicId)},"name":${quoted(fields.name)},"playersCount":${online ? live.playersCount : 0}` +
    `,"playersConfirmed":${isConfirmed(server)},"maxPlayersCount":${live.maxPlayersCount},"queueCount":${online ? live.queueCount : 0}` +
    `,"passworded":${setup.passworded},"port":${live.port},"address":${quoted(shownAddress(server))},"language":${quoted(fields.language)}` +
    `,"useEarlyAuth":${setup.useEarlyAuth},"earlyAuthUrl":${quoted(setup.earlyAuthUrl)},"useCdn":${setup.useCdn},"cdnUrl":${quoted(setup.cdnUrl)}` +
    `,"useVoiceChat":${setup.useVoiceChat},"version":${quoted(setup.version)},"branch":${quoted(setup.branch)},"available":${online}` +
    `,"banned":${isBanned(fields)},"vanityUrl":${quoted(fields.vanityUrl)},"website":${quoted(fields.website)}` +
    `,"gameMode":${quoted(fields.gameMode === '' ? setup.gameMode : fields.gameMode)},"description":${quoted(fields.description)}` +
    `,"tags":${tagsJson(fields.tags)},"lastTimeUpdate":"${timeText(server.changedAt)}","verified":${fields.verified}` +
    `,"promoted":${fields.promoted && !fields.standing.isUnranked},"visible":${fields.visible},"hasCustomSkin":${looks.hasSkin}` +
    `,"bannerUrl":${bannerUrl},"masterlist_icon_url":${looks.iconUrl === null ? 'null' : quoted(looks.iconUrl)}` +
    `,"masterlist_banner_url":${looks.bannerUrl === '' ? 'null' : bannerUrl},"joinBackgroundUrl":${quoted(looks.joinBackgroundUrl)}` +
    `,"group":${looks.group === null ? 'null' : JSON.stringify({ ...looks.group, iconUrl: '', pinned: false })}}`
  )
}

/** What JSON escapes, and surrogates, because lone ones are escaped. */
// oxlint-disable-next-line no-control-regex
const TO_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/

function quoted(text: string): string {
  return TO_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

function tagsJson(tags: readonly string[]): string {
  let text = '['
  for (const tag of tags) text += text.length === 1 ? quoted(tag) : `,${quoted(tag)}`
  return `${text}]`
}

const DAY_MS = 86_400_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

let lastDay = Number.NaN
let lastDayText = ''

/** `toISOString` at a tenth of its cost: consecutive times mostly lie within one day. */
function timeText(at: number): string {
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
