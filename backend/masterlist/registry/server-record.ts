/** One server in memory: its owner's fields, credentials and live state. Only `registry.ts` changes the fields, and whether it is online. */
import type { AddressPolicy } from '#contract/servers/server-fields.ts'
import type { ListFields } from '#contract/servers/server-field-shapes.ts'
import type { Family } from '#backend/platform/http/client-address.ts'
import type { Enforcement, FindingNotice } from '#backend/core/protection/enforcement.ts'
import type { PublishedRow } from './listed-row.ts'

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

/** For a server without benefits. */
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
  /** What happens to announces from an address that isn't bound. */
  readonly addressPolicy: AddressPolicy
  readonly enforcement: Enforcement
  /** For announce replies. `NO_FINDING_NOTICES` for nearly all servers. */
  readonly findingNotices: readonly FindingNotice[]
  /** Whether the owner has CLIENT_CLOUD_AUTH. */
  readonly cloudAuth: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** A validated announce with all defaults filled in. */
export interface AnnouncedState {
  readonly port: number
  readonly playersCount: number
  /** Whether more players were announced than reserved slots explain. Then `playersCount` is not confirmed. */
  readonly isFarAboveSlots: boolean
  readonly maxPlayersCount: number
  readonly queueCount: number
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

/** For a server that has never announced. */
export const NEVER_ANNOUNCED: AnnouncedState = {
  port: 0,
  playersCount: 0,
  isFarAboveSlots: false,
  maxPlayersCount: 0,
  queueCount: 0,
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

/** The addresses that a credential is bound to. An IPv6 address stands for its /64. */
export type Bindings = Readonly<Partial<Record<Family, string>>>

export interface LiveCredential {
  readonly id: string
  /** SHA-256 in hex. */
  readonly key: string
  readonly publicId: string
  /** Set by the registry. */
  server: ServerRecord | undefined
  /** Wall milliseconds. */
  readonly issuedAt: number
  /** Wall milliseconds; undefined for the current one. */
  readonly graceUntil: number | undefined
  bound: Bindings
  /** Wall milliseconds; 0 before the first use. */
  lastUsedAt: number
}

export type EndedBy = '' | 'EXPIRED' | 'LEFT' | 'REISSUED'

/** An announce, accepted or not. */
export interface Attempt {
  readonly code: string
  readonly address: string
  /** Details beyond the code, or empty. */
  readonly detail: string
  /** Wall milliseconds. */
  readonly at: number
}

export class ServerRecord {
  fields: OwnerFields
  credentials: readonly LiveCredential[] = []
  /** Undefined before the first announce. */
  announced: AnnouncedState | undefined = undefined
  /** Where its announces come from: its IPv4 address, or its IPv6 address if it has no other. */
  address = ''
  /** Its IPv6 address if it has both. */
  otherAddress = ''
  /** The uptime of the last accepted announce over each family. */
  readonly seen: Record<Family, number> = { ipv4: -Infinity, ipv6: -Infinity }
  online = false
  endedBy: EndedBy = ''
  /** When it went online or offline, in wall milliseconds. */
  since = 0
  /** Wall milliseconds; meaningless while unlisted. */
  listedSince = 0
  /** Wall milliseconds of the last accepted announce. */
  lastAnnounceAt = 0
  /** The same in uptime, for expiry. */
  lastAnnounceUptime = 0
  /** Wall milliseconds of the last change that readers see. */
  changedAt: number
  /** The credential of the live state's announce. */
  credentialId: string | undefined = undefined
  /** Cleared by the next accepted announce. */
  lastRejection: Attempt | undefined = undefined
  /** Its row on the list; undefined while unlisted. Only change-log.ts writes this and the next two fields. */
  published: PublishedRow | undefined = undefined
  /** Empty if none. */
  pendingChange: '' | 'players' | 'whole' = ''
  /** The tick of its last change beyond the counts. */
  rowChangedTick = 0
  /** Its last accepted announces, oldest first, in wall milliseconds. Only persistence/attempts.ts writes this and the next field. */
  accepted: Pick<Attempt, 'at' | 'address'>[] = []
  /** Accepted announces since its announce rate was last read. */
  acceptedSinceRateRead = 0

  constructor(fields: OwnerFields) {
    this.fields = fields
    this.changedAt = fields.updatedAt
  }

  get publicId(): string {
    return this.fields.publicId
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
