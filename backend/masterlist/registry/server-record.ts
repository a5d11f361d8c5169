/** One server in memory: its owner's fields, its credentials, its live state. Plain data that `registry.ts` changes. */
import type { PublishedRow } from './listed-row.ts'
import type { UnsavedScope } from './unsaved-servers.ts'

/** The consequences of open protection issues. */
interface Enforcement {
  readonly isUnlisted: boolean
  /** Ranked after all others, even if promoted. */
  readonly isUnranked: boolean
  /** Its players don't lift its rank. */
  readonly arePlayersUnconfirmed: boolean
  /** The strongest issue, where it costs the place on the list. */
  readonly cause: { readonly title: string; readonly page: string; readonly since: number } | undefined
}

/** Times are wall milliseconds. */
export interface Ban {
  readonly reason: string | null
  readonly at: number | undefined
  /** Undefined for a permanent ban. */
  readonly until: number | undefined
}

/** From the owner's current benefits; addresses are `""` or null where there is none. */
export interface Cosmetics {
  readonly iconUrl: string | null
  readonly bannerUrl: string
  readonly joinBackgroundUrl: string
  readonly group: { readonly id: string; readonly name: string } | null
  readonly hasTheme: boolean
}

/** Shared by all servers without benefits. */
export const NO_COSMETICS: Cosmetics = { iconUrl: null, bannerUrl: '', joinBackgroundUrl: '', group: null, hasTheme: false }

/** A server and its owner in the database, replaced as a whole. Rare fields lie in objects of their own, to save memory. Times are wall milliseconds. */
export interface OwnerFields {
  readonly publicId: string
  readonly ownerId: string
  readonly name: string
  readonly description: string
  readonly language: string
  readonly tags: readonly string[]
  readonly gameMode: string
  readonly website: string
  readonly visible: boolean
  /** Empty where there is none, or without the benefit. */
  readonly vanityUrl: string
  /** False without the benefit. */
  readonly promoted: boolean
  readonly cosmetics: Cosmetics
  readonly verified: boolean
  readonly ban: Ban | undefined
  readonly ownerBan: Ban | undefined
  readonly hiddenAt: number | undefined
  readonly enforcement: Enforcement
  /** Protection notices for the announce's reply: JSON objects joined by commas. */
  readonly findingNotices: string
  /** Whether the owner holds CLIENT_CLOUD_AUTH. */
  readonly cloudAuth: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** Of a server that never announced. */
export const NO_SETUP = {
  passworded: false,
  version: '',
  branch: '',
  gameMode: '',
  useVoiceChat: false,
  useEarlyAuth: false,
  earlyAuthUrl: '',
  useCdn: false,
  cdnUrl: '',
}

/** The part of an announce that hardly ever changes. Servers with equal setups share one object. */
export type AnnouncedSetup = Readonly<typeof NO_SETUP>

/** A validated announce, with all defaults. */
export interface AnnouncedState {
  readonly port: number
  readonly playersCount: number
  /** Whether more players than slots were announced: `playersCount` is clamped, and not confirmed. */
  readonly isAboveSlots: boolean
  readonly maxPlayersCount: number
  readonly queueCount: number
  readonly setup: AnnouncedSetup
}

export interface LiveCredential {
  readonly id: string
  /** SHA-256 as a Latin-1 text, the cheapest Map key. */
  readonly key: string
  readonly publicId: string
  /** Set by the registry, which saves each announce a look-up. */
  server: ServerRecord | undefined
  /** Wall milliseconds. */
  readonly issuedAt: number
  /** Wall milliseconds; undefined for the current one. */
  readonly graceUntil: number | undefined
  boundAddress: string | undefined
  /** Wall milliseconds; 0 before the first use. A field that may also be undefined would be a new object with each announce. */
  lastUsedAt: number
  /** Token bucket of announces: the uptime when it is full again, in whole milliseconds; 0 before the first. */
  fullAt: number
  /** Whether a token was taken from the full bucket, which the other nodes don't know yet. */
  hasUnpublishedUse: boolean
}

export type EndedBy = '' | 'EXPIRED' | 'LEFT' | 'REISSUED'

export interface Rejection {
  readonly code: string
  readonly address: string
  readonly detail: string
  /** Wall milliseconds. */
  readonly at: number
}

export class ServerRecord {
  fields: OwnerFields
  credentials: readonly LiveCredential[] = []
  /** Undefined before the first announce. */
  announced: AnnouncedState | undefined = undefined
  /** The source address of the live state's announce. */
  address = ''
  online = false
  endedBy: EndedBy = ''
  /** Wall milliseconds since when it is online, or offline. */
  since = 0
  /** Only where it differs from `since`: hardly ever, and a time takes 16 bytes. */
  #listedLater: number | undefined = undefined
  /** Wall milliseconds of the last accepted announce. */
  lastAnnounceAt = 0
  /** The same as uptime, for expiry. Whole milliseconds, because the engine stores a fraction as an object. */
  lastAnnounceUptime = 0
  /** Wall milliseconds of the last change that players see. */
  changedAt: number
  /** The credential of the live state's announce. */
  credentialId: string | undefined = undefined
  /** Undefined once an announce was accepted after it. */
  lastRejection: Rejection | undefined = undefined
  /** Its row on the list; undefined while unlisted. The six fields from here on belong to shown-log.ts. */
  published: PublishedRow | undefined = undefined
  /** Its pending change; empty for none. */
  pendingChange: '' | 'players' | 'whole' = ''
  /** The ticks of its last change, and of the last one beyond its players. */
  changedTick = 0
  rowChangedTick = 0
  /** Neighbours by last change. */
  newer: ServerRecord | undefined = undefined
  older: ServerRecord | undefined = undefined
  /** Belongs to unsaved.ts; empty while saved. */
  unsaved: '' | UnsavedScope = ''
  /** Belongs to expiry-wheel.ts. */
  isScheduled = false
  /** The number of its own ring of accepted announces (saving/attempts.ts); -1 before the first. */
  attemptRing = -1
  /** How many announces were accepted when its pace was last read. */
  countAtLastPace = 0
  /** The last accepted body: its hash, and what it was parsed to (announces/repeated-body.ts). */
  bodyFingerprint = 0
  fingerprintedState: AnnouncedState | undefined = undefined

  constructor(fields: OwnerFields) {
    this.fields = fields
    this.changedAt = fields.updatedAt
  }

  get publicId(): string {
    return this.fields.publicId
  }

  /** Wall milliseconds; meaningless while unlisted. Set it after `since`. */
  get listedSince(): number {
    return this.#listedLater ?? this.since
  }

  set listedSince(at: number) {
    this.#listedLater = at === this.since ? undefined : at
  }

  get isBanned(): boolean {
    return this.fields.ban !== undefined || this.fields.ownerBan !== undefined
  }

  get isListed(): boolean {
    const { visible, enforcement } = this.fields
    return this.online && visible && !this.isBanned && !enforcement.isUnlisted
  }
}
