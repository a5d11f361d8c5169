/** A server as launchers and query libraries read it (contract section 11). */
import type { ListedServer } from '#contract/masterlist.ts'
import { NO_SETUP } from './announced.ts'
import type { Announced, OwnerFields } from './server-record.ts'

/** What a row is made of. */
export interface RowSource {
  readonly fields: OwnerFields
  readonly announced: Announced | undefined
  /** The source address of the announce that made the live state. */
  readonly address: string
  readonly online: boolean
  /** Wall milliseconds: when something that players see last changed. */
  readonly changedAt: number
}

/** `playersCount` is 0 to 4096 (contract section 11). */
const PLAYER_STEPS = 4097
/** How many different ones `stepOf` has. */
export const STEPS = PLAYER_STEPS * 2 + 1

/** What players see of one listed server: immutable but for its place, replaced with each change. Only listed servers have one, so it is online. */
export class ShownRow implements RowSource {
  readonly fields: OwnerFields
  readonly announced: Announced
  readonly address: string
  readonly changedAt: number
  /** What the list is sorted by: kept, because each list asks for that of all rows, and what it is made of lies far apart in memory. */
  readonly step: number
  /** Where the row stood in the last text of the whole list (lists/list-text.ts), if it did. */
  place = -1

  constructor({ fields, address, changedAt }: RowSource, announced: Announced) {
    this.fields = fields
    this.announced = announced
    this.address = address
    this.changedAt = changedAt
    this.step = stepOf(this)
  }

  get online(): boolean {
    return true
  }
}

/** What is shown of a server that never announced. */
const NOTHING: Announced = {
  port: 0,
  playersCount: 0,
  isAboveSlots: false,
  maxPlayersCount: 0,
  queueCount: 0,
  setup: NO_SETUP,
}

/** `ip:port`, IPv6 in brackets, or the CDN's address; empty before the first announce. */
export function shownAddress({ announced, address }: Pick<RowSource, 'announced' | 'address'>): string {
  if (announced === undefined) return ''
  if (announced.setup.useCdn) return announced.setup.cdnUrl
  return `${address.includes(':') ? `[${address}]` : address}:${announced.port}`
}

/** Whether nothing speaks against the number of players that the server announces. */
export function isConfirmed({ fields, announced }: Pick<RowSource, 'fields' | 'announced'>): boolean {
  return !fields.standing.arePlayersDoubted && announced?.isAboveSlots !== true
}

/** What the list is sorted by first, the smallest in front; rows of one step follow each other by name and public id. */
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

/** What each field says of a server. Strings are never null but empty; an offline server keeps its last state, with nobody on it. */
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
  // Promotion does not lift it, and who reads row by row is to see the same.
  promoted: ({ fields }) => fields.promoted && !fields.standing.isUnranked,
  visible: ({ fields }) => fields.visible,
  hasCustomSkin: ({ fields }) => fields.looks.hasSkin,
  bannerUrl: ({ fields }) => fields.looks.bannerUrl,
  masterlist_icon_url: ({ fields }) => fields.looks.iconUrl,
  masterlist_banner_url: ({ fields }) => (fields.looks.bannerUrl === '' ? null : fields.looks.bannerUrl),
  joinBackgroundUrl: ({ fields }) => fields.looks.joinBackgroundUrl,
  group: ({ fields: { looks } }) => (looks.group === null ? null : { ...looks.group, iconUrl: '', pinned: false }),
}

/** What players see of a server whenever only its players have changed. */
export function countsJson({ fields, announced, changedAt }: ShownRow): string {
  return `{"publicId":${quoted(fields.publicId)},"playersCount":${announced.playersCount},"queueCount":${announced.queueCount},"lastTimeUpdate":"${timeText(changedAt)}"}`
}

/** The JSON of all that is LISTED, written by hand: it is made again whenever a row has changed. */
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

/** What has to be escaped in JSON, or may have to be: surrogates that stand alone. */
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

/** The same as `toISOString`, at a tenth of the cost: nearly all that are written one after the other lie within one day. */
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
