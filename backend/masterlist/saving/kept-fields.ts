/** What the database says of a server, as tens of thousands of them are kept: who has nothing of what few have shares one object that says so. */
import { type OwnerFields, PLAIN_LOOKS } from '#backend/masterlist/registry/server-record.ts'
import { UNTOUCHED } from '#backend/features/protection/standing.ts'

/** What most servers have alike. */
type Seldom = Pick<
  OwnerFields,
  | 'visible'
  | 'vanityUrl'
  | 'promoted'
  | 'looks'
  | 'verified'
  | 'ban'
  | 'ownerBan'
  | 'hiddenAt'
  | 'standing'
  | 'findingNotices'
  | 'cloudAuth'
>

/** One for each way in which the four that are only true or false can be, where nothing else is to be said. */
const plain: (Seldom | undefined)[] = []

class KeptFields implements OwnerFields {
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
  /** A property like the others, since what is kept is compared with the database as it is serialised (comparing.ts). */
  private readonly seldom: Seldom

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
    this.seldom = seldomOf(fields)
  }

  get visible() {
    return this.seldom.visible
  }
  get vanityUrl() {
    return this.seldom.vanityUrl
  }
  get promoted() {
    return this.seldom.promoted
  }
  get looks() {
    return this.seldom.looks
  }
  get verified() {
    return this.seldom.verified
  }
  get ban() {
    return this.seldom.ban
  }
  get ownerBan() {
    return this.seldom.ownerBan
  }
  get hiddenAt() {
    return this.seldom.hiddenAt
  }
  get standing() {
    return this.seldom.standing
  }
  get findingNotices() {
    return this.seldom.findingNotices
  }
  get cloudAuth() {
    return this.seldom.cloudAuth
  }
}

/** The same fields, for as long as the server is known. */
export function kept(fields: OwnerFields): OwnerFields {
  return new KeptFields(fields)
}

function seldomOf({
  visible,
  vanityUrl,
  promoted,
  looks,
  verified,
  ban,
  ownerBan,
  hiddenAt,
  standing,
  findingNotices,
  cloudAuth,
}: OwnerFields): Seldom {
  const seldom = { visible, vanityUrl, promoted, looks, verified, ban, ownerBan, hiddenAt, standing, findingNotices, cloudAuth }
  const isPlain =
    vanityUrl === '' &&
    looks === PLAIN_LOOKS &&
    ban === undefined &&
    ownerBan === undefined &&
    hiddenAt === undefined &&
    standing === UNTOUCHED &&
    findingNotices === ''
  if (!isPlain) return seldom
  return (plain[Number(visible) + 2 * Number(promoted) + 4 * Number(verified) + 8 * Number(cloudAuth)] ??= seldom)
}
