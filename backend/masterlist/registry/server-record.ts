/** One server as the master list holds it: what its owner says, its credentials, its live state. Plain data; `registry.ts` changes it. */

import type { ShownRow } from './listed-row.ts'
import type { Unsaved } from './unsaved.ts'

/** What the open protection issues of a server do to it: the strongest of them counts. */
interface Standing {
  /** Not on the list. */
  readonly isUnlisted: boolean
  /** After all servers that are ranked, whatever lifts it otherwise. */
  readonly isUnranked: boolean
  /** The players it announces lift it no more. */
  readonly arePlayersDoubted: boolean
  /** The strongest issue, where it costs the place on the list. */
  readonly heldBy: { readonly title: string; readonly page: string; readonly since: number } | undefined
}

/** A ban of a server or of its owner. */
export interface Ban {
  readonly reason: string | null
  /** Wall milliseconds; undefined where it is not known. */
  readonly at: number | undefined
  /** Wall milliseconds; undefined where the ban has no end. */
  readonly until: number | undefined
}

/** What the owner's benefits give a server now. */
export interface Looks {
  /** An address each, `""` or null where there is none. */
  readonly iconUrl: string | null
  readonly bannerUrl: string
  readonly joinBackgroundUrl: string
  readonly group: { readonly id: string; readonly name: string } | null
  /** Whether the launcher has something of its own to show for it. */
  readonly hasSkin: boolean
}

/** All that most servers have of it, once for all of them. */
export const PLAIN_LOOKS: Looks = { iconUrl: null, bannerUrl: '', joinBackgroundUrl: '', group: null, hasSkin: false }

/** What the database says of a server and its owner; replaced whole when either changes. What few servers have lies in objects of its own. */
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
  /** Empty where there is none, or where the owner lacks the benefit now. */
  readonly vanityUrl: string
  /** False while the owner lacks the benefit. */
  readonly promoted: boolean
  readonly looks: Looks
  readonly verified: boolean
  /** Undefined where it is not banned. */
  readonly ban: Ban | undefined
  readonly ownerBan: Ban | undefined
  /** Wall milliseconds since when it is set to hidden. */
  readonly hiddenAt: number | undefined
  /** What its open protection issues do to it. */
  readonly standing: Standing
  /** What an announce is told of them: the notices' JSON with commas between, empty where there is none. */
  readonly findingNotices: string
  /** Whether the owner holds CLIENT_CLOUD_AUTH. */
  readonly cloudAuth: boolean
  /** Wall milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What an announce says of how the server is set up: it hardly ever changes, and many say the same, so one lies there for all of them. */
export interface Setup {
  readonly passworded: boolean
  readonly version: string
  readonly branch: string
  readonly gameMode: string
  readonly useVoiceChat: boolean
  readonly useEarlyAuth: boolean
  readonly earlyAuthUrl: string
  readonly useCdn: boolean
  readonly cdnUrl: string
}

/** An announce as the list keeps it: checked, completed, players clamped to the slots. */
export interface Announced {
  readonly port: number
  readonly playersCount: number
  /** It said more players than slots: what it says is clamped, and not believed. */
  readonly isAboveSlots: boolean
  readonly maxPlayersCount: number
  readonly queueCount: number
  readonly setup: Setup
}

/** A credential that works now. */
export interface LiveCredential {
  readonly id: string
  /** SHA-256 as a Latin-1 text: the cheapest key a Map can have. */
  readonly key: string
  readonly publicId: string
  /** The server it announces for; set by the registry, so that an announce needs one look-up and not two. */
  server: ServerRecord | undefined
  /** Wall milliseconds. */
  readonly issuedAt: number
  /** Wall milliseconds; undefined for the current one. */
  readonly graceUntil: number | undefined
  boundAddress: string | undefined
  /** Wall milliseconds; 0 where it never was. Always a number: one that may also be undefined is a new object with each announce. */
  lastUsedAt: number
  /** Token bucket of announces: the uptime from which it is full again, in whole milliseconds; 0 where none was taken yet. */
  fullAt: number
  /** Whether one was taken while it was full, which the other nodes have not been told. */
  hasUnsaid: boolean
}

export type EndedBy = '' | 'EXPIRED' | 'LEFT' | 'REISSUED'

export interface Refusal {
  readonly code: string
  readonly address: string
  readonly detail: string
  /** Wall milliseconds. */
  readonly at: number
}

export class ServerRecord {
  fields: OwnerFields
  credentials: readonly LiveCredential[] = []
  /** Undefined until the first announce. */
  announced: Announced | undefined = undefined
  /** The source address of the announce that made the live state. */
  address = ''
  online = false
  endedBy: EndedBy = ''
  /** Wall milliseconds since when it is online, or offline. */
  since = 0
  /** The same since when players see it, where that is not since it is online: hardly ever, and a time takes 16 bytes. */
  #listedLater: number | undefined = undefined
  /** Wall milliseconds of the last accepted announce. */
  lastAnnounceAt = 0
  /** Uptime of the same, for the expiry: whole milliseconds, which the engine keeps in place where a fraction is an object beside it. */
  lastSeen = 0
  /** Wall milliseconds: when something that players see last changed. */
  changedAt: number
  /** The credential that made the live state. */
  credentialId: string | undefined = undefined
  /** The newest attempt's refusal; undefined once one was accepted after it. */
  refusal: Refusal | undefined = undefined
  /** What players see of it on the list; undefined while they do not. The six fields from here on are the log's (shown-log.ts). */
  shown: ShownRow | undefined = undefined
  /** How it will be shown anew with the next tick; empty while nothing is to be. */
  noted: '' | 'players' | 'whole' = ''
  /** The tick with which it was last shown anew, and the last one with which more than its players was. */
  shownTick = 0
  wholeTick = 0
  /** Its neighbours in the order of the last change. */
  newer: ServerRecord | undefined = undefined
  older: ServerRecord | undefined = undefined
  /** What of its live state has changed since it was saved; empty where nothing has (unsaved.ts). */
  unsaved: '' | Unsaved = ''
  /** True while the expiry wheel holds it. */
  isWatched = false
  /** Where the attempt ring keeps its accepted announces; -1 before the first. */
  ring = -1
  /** How many accepted announces had been counted when its pace was last looked at. */
  pacedAt = 0
  /** Of the body that was last accepted, and what was read from it where that is known again (announces/repeated-body.ts). */
  bodyPrint = 0
  readAs: Announced | undefined = undefined

  constructor(fields: OwnerFields) {
    this.fields = fields
    this.changedAt = fields.updatedAt
  }

  get publicId(): string {
    return this.fields.publicId
  }

  /** Wall milliseconds since when players see it on the list; says nothing while they do not. */
  get listedSince(): number {
    return this.#listedLater ?? this.since
  }

  /** To be set after `since`. */
  set listedSince(at: number) {
    this.#listedLater = at === this.since ? undefined : at
  }

  get isBanned(): boolean {
    return this.fields.ban !== undefined || this.fields.ownerBan !== undefined
  }

  /** Whether players see it on the list. */
  get isListed(): boolean {
    const { visible, standing } = this.fields
    return this.online && visible && !this.isBanned && !standing.isUnlisted
  }
}
