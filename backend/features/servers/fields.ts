/** The fields of a server on their way into the table: what they need, and what the database says to them. */
import type { Updateable } from 'kysely'
import type { ActorRole } from '#contract/activity.ts'
import { BENEFITS, BENEFIT_FIELDS, type BenefitKey, FIELD_BENEFITS } from '#contract/benefits.ts'
import type { NewServer, ServerChanges } from '#contract/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Servers } from '#backend/platform/database/tables.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { isViolation } from '#backend/platform/database/violation.ts'
import { type AppError, business, forbidden, invalid } from '#backend/platform/errors.ts'
import { groupOf } from '#backend/features/groups/groups.ts'
import { takeImage } from '#backend/features/images/images.ts'
import { NAME_KEY_VERSION, nameKey } from './name-key.ts'

type Columns = Updateable<Servers>

/** The table's columns of what a call changes. */
export function columnsOf(changes: NewServer): Columns & { name: string; name_key: string; name_key_version: number }
export function columnsOf(changes: ServerChanges): Columns
export function columnsOf(changes: ServerChanges): Columns {
  const present = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(present), ...(changes.name !== undefined && keyOf(changes.name)) }
}

const keyOf = (name: string) => ({ name_key: nameKey(name), name_key_version: NAME_KEY_VERSION })

/**
 * What needs a benefit of the owner may always be cleared, and may stay as it is; only setting it anew is gated, so that a lapsed
 * benefit locks nobody in. @param changes what differs from how it is.
 */
export function refuseWithoutBenefit(changes: ServerChanges, held: ReadonlySet<BenefitKey>, as: ActorRole): void {
  const who = as === 'self' ? 'you do' : 'the owner of this server does'
  for (const field of BENEFIT_FIELDS) {
    const key = FIELD_BENEFITS[field]
    const isSet = changes[field] != null && changes[field] !== false
    if (isSet && !held.has(key)) throw forbidden(`This needs the benefit ${BENEFITS[key].name}, which ${who} not have.`)
  }
}

/** Who acts for whom. */
interface Actors {
  readonly ownerId: string
  readonly actorId: string
}

/**
 * Holds what the changes refer to, the group and the icon, and answers the changes with the owner's own icon in them. Throws `invalid`
 * where they are nobody's that may be taken.
 */
export async function holdReferred<C extends ServerChanges>(trx: Db, changes: C, { ownerId, actorId }: Actors): Promise<C> {
  if (changes.group_id != null) await groupOf(trx, ownerId, changes.group_id)
  if (changes.icon_image_id == null) return changes
  if (!isUuid(changes.icon_image_id)) throw invalid('Icon must be the id of an uploaded image, or null.')
  const wanted = { imageId: changes.icon_image_id, ownerId, actorId, purpose: 'SERVER_ICON', label: 'Icon' } as const
  return { ...changes, icon_image_id: await takeImage(trx, wanted) }
}

function taken(error: unknown): AppError | undefined {
  if (isViolation(error, 'servers_name_key')) {
    return business('NAME_ALREADY_EXISTS', 'Another server has this name, or one that looks like it. Choose a different name.')
  }
  if (isViolation(error, 'servers_vanity_url_key')) {
    return business('VANITY_URL_ALREADY_EXISTS', 'Another server has this vanity id. Choose a different one.')
  }
  return undefined
}

/** The database is the referee of what is unique; its word is put into ours. */
export async function refusingTaken<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw taken(error) ?? error
  }
}
