/** One server in memory: its owner's fields, credentials and live state. Plain data that `registry.ts` changes. */
import type { IssueKind } from '#contract/issue-kinds.ts'
import type { ListFields } from '#contract/server-field-shapes.ts'
import type { FindingNotice } from '#backend/features/protection/enforcement.ts'
import type { PublishedRow } from './listed-row.ts'
import type { UnsavedScope } from './unsaved-servers.ts'

/** The consequences of open protection issues. */
interface Enforcement {
  readonly isUnlisted: boolean
  /** Ranked after all others, even if promoted. */
  readonly isUnranked: boolean
  /** Its players don't count for its rank. */
  readonly arePlayersUnconfirmed: boolean
  /** The strongest issue, if it affects the listing. */
  readonly cause: { readonly kind: IssueKind; readonly page: string; readonly since: number } | undefined
}

/** Times are wall milliseconds. */
export interface Ban {
  readonly reason: string | null
  readonly at: number | undefined
  /** Undefined if permanent. */
  readonly until: number | undefined
}

/** From the owner's current benefits. Missing URLs are `""` or null. */
export interface Cosmetics {
  readonly iconUrl: string | null
  readonly bannerUrl: string
  readonly joinBackgroundUrl: string
  readonly group: { readonly id: string; readonly name: string } | null
  readonly hasTheme: boolean
}

/** Shared by all servers without benefits. */
export const NO_COSMETICS: Cosmetics = { iconUrl: null, bannerUrl: '', joinBackgroundUrl: '', group: null, hasTheme: false }

/** A server and its owner in the database, replaced as a whole. `ListFields` have their initial value without their benefit. Times are wall milliseconds. */
export interface OwnerFields extends ListFields {
  readonly publicId: string
  readonly ownerId: string
  readonly cosmetics: Cosmetics
  readonly verified: boolean
  readonly ban: Ban | undefined
  readonly ownerBan: Ban | undefined
  readonly hiddenAt: number | undefined
  readonly enforcement: Enforcement
  /** For announce replies. `NO_FINDING_NOTICES` for nearly all servers. */
  readonly findingNotices: readonly FindingNotice[]
  /** Whether the owner has CLIENT_CLOUD_AUTH. */
  readonly cloudAuth: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** For a server that has never announced. */
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

/** The part of an announce that rarely changes. Servers with equal setups share one object. */
export type AnnouncedSetup = Readonly<typeof NO_SETUP>

/** A validated announce with all defaults filled in. */
export interface AnnouncedState {
  readonly port: number
  readonly playersCount: number
  /** Whether more players were announced than reserved slots explain. Then `playersCount` is not confirmed. */
  readonly isFarAboveSlots: boolean
  readonly maxPlayersCount: number
  readonly queueCount: number
  readonly setup: AnnouncedSetup
}

export interface LiveCredential {
  readonly id: string
  /** SHA-256 as a Latin-1 string, the cheapest Map key. */
  readonly key: string
  readonly publicId: string
  /** Set by the registry. Saves a lookup per announce. */
  server: ServerRecord | undefined
  /** Wall milliseconds. */
  readonly issuedAt: number
  /** Wall milliseconds; undefined for the current one. */
  readonly graceUntil: number | undefined
  boundAddress: string | undefined
  /** Wall milliseconds; 0 before the first use. A field that may also be undefined would allocate on each announce. */
  lastUsedAt: number
  /** Token bucket of announces: the uptime when it is full again, in whole milliseconds; 0 before the first announce. */
  fullAt: number
  /** Whether a token taken from the full bucket is not published to other nodes yet. */
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
  /** Source address of the live state's announce. */
  address = ''
  online = false
  endedBy: EndedBy = ''
  /** When it went online or offline, in wall milliseconds. */
  since = 0
  /** Set only if it differs from `since`, which is rare: a time takes 16 bytes. */
  #listedSince: number | undefined = undefined
  /** Wall milliseconds of the last accepted announce. */
  lastAnnounceAt = 0
  /** The same in uptime, for expiry. Whole milliseconds, because the engine stores a fraction as an object. */
  lastAnnounceUptime = 0
  /** Wall milliseconds of the last change that readers see. */
  changedAt: number
  /** The credential of the live state's announce. */
  credentialId: string | undefined = undefined
  /** Cleared by the next accepted announce. */
  lastRejection: Rejection | undefined = undefined
  /** Its row on the list; undefined while unlisted. Only change-log.ts writes this and the next five fields. */
  published: PublishedRow | undefined = undefined
  /** Empty if none. */
  pendingChange: '' | 'players' | 'whole' = ''
  /** Ticks of its last change, and of its last change beyond the counts. */
  changedTick = 0
  rowChangedTick = 0
  /** Neighbors by last change. */
  newer: ServerRecord | undefined = undefined
  older: ServerRecord | undefined = undefined
  /** Empty while saved. Only unsaved-servers.ts writes it. */
  unsaved: '' | UnsavedScope = ''
  /** Only expiry-wheel.ts writes it. */
  isScheduled = false
  /** Index of its ring of accepted announces (persistence/attempts.ts); -1 before the first. */
  attemptRing = -1
  /** Accepted announces at the last read of its announce rate. */
  countAtLastRateRead = 0
  /** Fingerprint of the last accepted body, and the state that it was parsed to (announces/repeated-body.ts). */
  bodyFingerprint = 0
  fingerprintedState: AnnouncedState | undefined = undefined

  constructor(fields: OwnerFields) {
    this.fields = fields
    this.changedAt = fields.updatedAt
  }

  get publicId(): string {
    return this.fields.publicId
  }

  /** Wall milliseconds; meaningless while unlisted. Set after `since`. */
  get listedSince(): number {
    return this.#listedSince ?? this.since
  }

  set listedSince(at: number) {
    this.#listedSince = at === this.since ? undefined : at
  }

  get isBanned(): boolean {
    return this.fields.ban !== undefined || this.fields.ownerBan !== undefined
  }

  /** Whether it is on the list while it is online. */
  get isPublic(): boolean {
    const { visible, enforcement } = this.fields
    return visible && !this.isBanned && !enforcement.isUnlisted
  }

  get isListed(): boolean {
    return this.online && this.isPublic
  }
}
