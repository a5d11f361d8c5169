/** An owner's fields, kept small for tens of thousands of servers: those without rare fields share one object for them. */
import { type OwnerFields, NO_COSMETICS } from '#backend/masterlist/registry/server-record.ts'
import { NO_ENFORCEMENT } from '#backend/features/protection/enforcement.ts'

type RareFields = ReturnType<typeof rareFieldsOf>

/** One per combination of the four booleans, for servers with nothing else. */
const plain: (RareFields | undefined)[] = []

class CompactFields implements OwnerFields {
  readonly publicId: string
  readonly ownerId: string
  readonly name: string
  readonly description: string
  readonly language: string
  readonly tags: readonly string[]
  readonly gameMode: string
  readonly website: string
  readonly createdAt: number
  readonly updatedAt: number
  /** A plain property, because catching-up.ts compares serialized fields. */
  private readonly rare: RareFields

  constructor(fields: OwnerFields) {
    this.publicId = fields.publicId
    this.ownerId = fields.ownerId
    this.name = fields.name
    this.description = fields.description
    this.language = fields.language
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
    return this.rare.looks
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
  const {
    visible,
    vanityUrl,
    promoted,
    cosmetics: looks,
    verified,
    ban,
    ownerBan,
    hiddenAt,
    enforcement,
    findingNotices,
    cloudAuth,
  } = fields
  return { visible, vanityUrl, promoted, looks, verified, ban, ownerBan, hiddenAt, enforcement, findingNotices, cloudAuth }
}

function sharedRareFieldsOf(fields: OwnerFields): RareFields {
  const rare = rareFieldsOf(fields)
  const isMarked =
    rare.ban !== undefined || rare.ownerBan !== undefined || rare.hiddenAt !== undefined || rare.enforcement !== NO_ENFORCEMENT
  if (isMarked || rare.vanityUrl !== '' || rare.looks !== NO_COSMETICS || rare.findingNotices !== '') return rare
  return (plain[Number(rare.visible) + 2 * Number(rare.promoted) + 4 * Number(rare.verified) + 8 * Number(rare.cloudAuth)] ??= rare)
}
