/** What the owner's benefits give a server to look like: its icon, its group, and which of its settings players do not see now. */
import { BENEFIT_FIELDS, type BenefitField, FIELD_BENEFITS } from '#contract/benefits.ts'
import type { Server } from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { imageUrl } from '#backend/features/images/image-urls.ts'
import { benefitKeysOf } from '#backend/features/users/users.ts'
import { listAppearances } from './appearance.queries.ts'

export type Appearance = Pick<Server, 'icon_url' | 'group' | 'dormant'>

/** By public id, of those that exist. */
export async function appearancesOf(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, Appearance>> {
  const rows = await listAppearances(db, publicIds)
  return new Map(
    rows.map((row) => {
      const held = benefitKeysOf(row, row.grants)
      const isSet = (field: BenefitField) => (field === 'promoted' ? row.promoted : row[field] !== null)
      return [
        row.public_id,
        {
          icon_url: imageUrl(env, row.icon_file),
          group: row.group_id === null || row.group_name === null ? null : { id: row.group_id, name: row.group_name },
          dormant: BENEFIT_FIELDS.filter((field) => isSet(field) && !held.has(FIELD_BENEFITS[field])),
        },
      ]
    }),
  )
}
