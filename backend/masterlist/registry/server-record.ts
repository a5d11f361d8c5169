/** One server in memory: its owner's fields, credentials and live state. Only `registry.ts` changes the fields, and whether it is online. */
import type { AddressPolicy } from '#contract/servers/server-fields.ts'
import type { ListFields } from '#contract/servers/server-field-shapes.ts'
import type { Family } from '#backend/platform/http/client-address.ts'
import type { Enforcement, FindingNotice } from '#backend/core/protection/enforcement.ts'
import type { Claim } from './endpoint-index.ts'
import type { Proof } from './endpoint.ts'
import type { OtherProcesses } from './processes.ts'
import type { Probe } from '#contract/servers/probes.ts'
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
  readonly proof: Proof | undefined
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
  /** Where players connect, as named: a name in lower case, or an address. Empty for the source address. */
  readonly host: string
  /** How `host` or the source address can be asked. Empty if the server doesn't say. */
  readonly probe: Probe | ''
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
  host: '',
  probe: '',
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

/** The addresses that a credential is bound to. An IPv6 address includes all of its /64. */
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

export interface OtherAnnounce {
  readonly announced: AnnouncedState
  readonly address: string
  readonly credential: LiveCredential
  /** Uptime. */
  readonly at: number
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
  /** Since when it claims its endpoint, in wall milliseconds. */
  endpointSince = 0
  /** Where it could be listed. Only registry/endpoint-index.ts writes this and the next two fields. */
  claims: readonly Claim[] = []
  /** Why it isn't listed although it is online and public. */
  withheld: '' | 'DUPLICATE_ADDRESS' | 'PRIVATE_ADDRESS' = ''
  /** The server that is listed at its endpoint. */
  duplicateOf: ServerRecord | undefined = undefined
  /** Other processes with its credential, on other ports. */
  others: OtherProcesses | undefined = undefined
  /** The newest announce of another process, which takes over when the entry's falls silent. */
  otherAnnounce: OtherAnnounce | undefined = undefined
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
  accepted: Omit<Attempt, 'detail'>[] = []
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
    return this.online && this.isPublic && this.withheld === ''
  }
}
