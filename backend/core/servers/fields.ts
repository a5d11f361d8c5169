/** Checks the fields that callers send for a server, and converts them to columns. */
import type { Updateable } from 'kysely'
import { m as texts } from '#api-messages'
import { mustBeImageId } from '#contract/text/messages.ts'
import type { ActorRole } from '#contract/events/events.ts'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { BENEFIT_FIELDS, SERVER_FIELD_NAMES, isInitial } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import type { NewServer, ServerChanges } from '#contract/servers/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Servers } from '#backend/platform/database/tables.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { translateViolations } from '#backend/platform/database/violation.ts'
import { business, forbidden, invalidInput } from '#backend/platform/errors.ts'
import { rejectPrivateHost } from '#backend/platform/outbound/guarded-client.ts'
import { lockGroupForServer } from '#backend/core/groups/groups.ts'
import { lockOrCopyImage } from '#backend/core/images/images.ts'
import { heldBenefits } from '#backend/core/users/users.ts'
import { NAME_KEY_VERSION, nameKey } from './name-key.ts'
import type { LockedServer } from './server-access.ts'

type Columns = Updateable<Servers>

export function columnsOf(changes: NewServer): Columns & { name: string; name_key: string }
export function columnsOf(changes: ServerChanges): Columns
export function columnsOf(changes: ServerChanges): Columns {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return changes.name === undefined ? given : { ...given, name_key: nameKey(changes.name), name_key_version: NAME_KEY_VERSION }
}

/** Who changes the fields of whose server. */
type FieldActor = Pick<LockedServer, 'as' | 'actorId' | 'owner'>

/**
 * The rules about fields that need more than their value. Returns the changes with the owner's own copy of the icon, and locks what they
 * refer to.
 * @param changes only the fields that differ from the server.
 */
export async function checkFields<C extends ServerChanges>(trx: Db, changes: C, { as, actorId, owner }: FieldActor): Promise<C> {
  for (const field of SERVER_FIELD_NAMES)
    if (SERVER_FIELDS[field].control === 'url') rejectPrivateHost(field, changes[field] as string | undefined)
  rejectWithoutBenefit(changes, await heldBenefits(trx, owner), as)
  return lockReferences(trx, changes, owner.id, actorId)
}

/** Clearing a field is always allowed, even after its benefit ends. */
function rejectWithoutBenefit(changes: ServerChanges, held: ReadonlySet<BenefitKey>, as: ActorRole): void {
  const code = as === 'self' ? 'BENEFIT_NOT_HELD' : 'BENEFIT_NOT_HELD_BY_OWNER'
  for (const field of BENEFIT_FIELDS) {
    const key = SERVER_FIELDS[field].benefit
    const isSet = changes[field] !== undefined && !isInitial(field, changes[field])
    if (isSet && !held.has(key)) throw forbidden(code, { benefit: BENEFITS[key].name() }).inField(field)
  }
}

/** Rejects a group that doesn't exist, and an icon that neither the owner nor the actor has. */
async function lockReferences<C extends ServerChanges>(trx: Db, changes: C, ownerId: string, actorId: string): Promise<C> {
  if (changes.group_id != null) await lockGroupForServer(trx, ownerId, changes.group_id)
  if (changes.icon_image_id == null) return changes
  if (!isUuid(changes.icon_image_id)) throw invalidInput([mustBeImageId(texts.field_icon)()]).inField('icon_image_id')
  const field = { field: 'icon_image_id', label: texts.field_icon() }
  const icon = { imageId: changes.icon_image_id, ownerId, actorId, purpose: 'SERVER_ICON', ...field } as const
  return { ...changes, icon_image_id: await lockOrCopyImage(trx, icon) }
}

const nameTaken = () => business('NAME_ALREADY_EXISTS', 'SERVER_NAME_TAKEN').inField('name')
const nameInBin = () => business('NAME_ALREADY_EXISTS', 'SERVER_NAME_IN_BIN').inField('name')
const vanityTaken = () => business('VANITY_URL_ALREADY_EXISTS', 'VANITY_ID_TAKEN').inField('vanity_url')

/** Turns violations of the unique indexes into error messages for the caller. */
export function translateUniqueViolations<T>(act: () => Promise<T>): Promise<T> {
  return translateViolations(act, { servers_name_key: nameTaken, servers_vanity_url_key: vanityTaken })
}

/**
 * Rejects taken values before the row is written. Otherwise two servers that swap names at the same time would deadlock.
 * @param binOwnerId gets a sentence of its own if the name belongs to a server in their bin.
 */
export async function rejectFieldsInUse(
  trx: Db,
  { public_id: publicId, name_key: key, vanity_url: vanity }: Columns & { readonly public_id: string },
  binOwnerId: string | undefined,
): Promise<void> {
  if (key !== undefined) {
    const named = await trx
      .selectFrom('all_servers')
      .select(['owner_id', 'deleted_at'])
      .where('name_key', '=', key)
      .where('public_id', '<>', publicId)
      .executeTakeFirst()
    if (named !== undefined) throw named.deleted_at !== null && named.owner_id === binOwnerId ? nameInBin() : nameTaken()
  }
  const others = trx.selectFrom('servers').select('public_id').where('public_id', '<>', publicId)
  if (vanity != null && (await others.where('vanity_url', '=', vanity).executeTakeFirst()) !== undefined) throw vanityTaken()
}
