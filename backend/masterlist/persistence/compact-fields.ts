/** Owner fields stored compactly: servers without rare fields share one object for them. */
import { type OwnerFields, NO_COSMETICS } from '#backend/masterlist/registry/server-record.ts'
import { NO_ENFORCEMENT, NO_FINDING_NOTICES } from '#backend/features/protection/enforcement.ts'

type RareFields = ReturnType<typeof rareFieldsOf>

/** One shared object per combination of the boolean fields, for servers whose other rare fields are all empty. */
const sharedByFlags: (RareFields | undefined)[] = []

class CompactFields implements OwnerFields {
  readonly publicId: string
  readonly ownerId: string
  readonly name: string
  readonly description: string
  readonly language: string
  readonly region: string
  readonly tags: readonly string[]
  readonly gameMode: string
  readonly website: string
  readonly createdAt: number
  readonly updatedAt: number
  /** A plain property, because reconciler.ts compares serialized fields. */
  private readonly rare: RareFields

  constructor(fields: OwnerFields) {
    this.publicId = fields.publicId
    this.ownerId = fields.ownerId
    this.name = fields.name
    this.description = fields.description
    this.language = fields.language
    this.region = fields.region
    this.tags = fields.tags
    this.gameMode = fields.gameMode
    this.website = fields.website
    this.createdAt = fields.createdAt
    this.updatedAt = fields.updatedAt
    this.rare = sharedRareFieldsOf(fields)
  }

  get visible() {
    return this.rare.visible
  }
  get vanityUrl() {
    return this.rare.vanityUrl
  }
  get promoted() {
    return this.rare.promoted
  }
  get cosmetics() {
    return this.rare.cosmetics
  }
  get verified() {
    return this.rare.verified
  }
  get ban() {
    return this.rare.ban
  }
  get ownerBan() {
    return this.rare.ownerBan
  }
  get hiddenAt() {
    return this.rare.hiddenAt
  }
  get enforcement() {
    return this.rare.enforcement
  }
  get findingNotices() {
    return this.rare.findingNotices
  }
  get cloudAuth() {
    return this.rare.cloudAuth
  }
}

export function compactFields(fields: OwnerFields): OwnerFields {
  return new CompactFields(fields)
}

function rareFieldsOf(fields: OwnerFields) {
  const { visible, vanityUrl, promoted, cosmetics, verified, ban, ownerBan, hiddenAt, enforcement, findingNotices, cloudAuth } = fields
  return { visible, vanityUrl, promoted, cosmetics, verified, ban, ownerBan, hiddenAt, enforcement, findingNotices, cloudAuth }
}

function sharedRareFieldsOf(fields: OwnerFields): RareFields {
  const rare = rareFieldsOf(fields)
  const hasDates =
    rare.ban !== undefined || rare.ownerBan !== undefined || rare.hiddenAt !== undefined || rare.enforcement !== NO_ENFORCEMENT
  if (hasDates || rare.vanityUrl !== '' || rare.cosmetics !== NO_COSMETICS || rare.findingNotices !== NO_FINDING_NOTICES) return rare
  // Each boolean rare field needs its own bit, or servers would share wrong values.
  return (sharedByFlags[Number(rare.visible) + 2 * Number(rare.promoted) + 4 * Number(rare.verified) + 8 * Number(rare.cloudAuth)] ??= rare)
}
