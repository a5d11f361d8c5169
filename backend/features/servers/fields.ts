/** The fields of a server on their way into the table: what they need, and what the database says to them. */
import type { Updateable } from 'kysely'
import type { ActorRole } from '#contract/activity.ts'
import { BENEFITS, type BenefitKey } from '#contract/benefits.ts'
import type { NewServer, ServerChanges } from '#contract/servers.ts'
import type { Servers } from '#backend/database/tables.ts'
import { isViolation } from '#backend/database/violation.ts'
import { type AppError, business, forbidden, invalid } from '#backend/errors.ts'
import { nameKey } from './name-key.ts'

type Columns = Updateable<Servers>

/** The table's columns of what a call changes. */
export function columnsOf(changes: NewServer): Columns & { name: string; name_key: string }
export function columnsOf(changes: ServerChanges): Columns
export function columnsOf(changes: ServerChanges): Columns {
  const { group_id: _group, icon_image_id: _icon, ...columns } = changes
  const present = Object.entries(columns).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(present), ...(changes.name !== undefined && { name_key: nameKey(changes.name) }) }
}

/** What needs a benefit of the owner may always be cleared; only setting it is gated, so that a lapsed benefit locks nobody in. */
export function refuseWithoutBenefit(changes: ServerChanges, held: ReadonlySet<BenefitKey>, as: ActorRole): void {
  const who = as === 'manager' ? 'the owner of this server does' : 'you do'
  const need = (isSet: boolean, key: BenefitKey) => {
    if (isSet && !held.has(key)) throw forbidden(`This needs the benefit ${BENEFITS[key].name}, which ${who} not have.`)
  }
  need(changes.vanity_url != null, 'CUSTOM_VANITY_URL')
  need(changes.group_id != null, 'MASTERLIST_GROUPS')
  need(changes.promoted === true, 'PROMOTED')
  need(changes.icon_image_id != null, 'MASTERLIST_TOKEN_CARD_ICONS')
  if (changes.group_id != null) throw invalid('You have no group with this id.')
  if (changes.icon_image_id != null) throw invalid('You have no uploaded image with this id.')
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
