/** The administrators' list of users: filters and sorts (docs/decisions/0015). */
import { sql } from 'kysely'
import { TIER_IDS, benefitsOfTier } from '#contract/benefits/benefits.ts'
import type { AdminUsersQuery } from '#contract/users/users-admin.ts'
import { type PagedList, type Sql, containsText, searchTerm } from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'

type Query = Omit<AdminUsersQuery, 'page' | 'per_page' | 'after' | 'before'>

const ID = { sql: sql`u.id`, type: 'uuid' } as const
const KEYS = {
  created_at: [{ sql: sql`u.created_at`, type: 'timestamptz' }, ID],
  signed_in_at: [{ sql: sql`u.signed_in_at`, type: 'timestamptz' }, ID],
  username: [{ sql: sql`lower(u.username)`, type: 'text' }, ID],
} as const

/** Throws `invalid` for a search that no text can match. */
export function adminUserList(query: Query): PagedList {
  const { sort = 'created_at', tiers = [], benefits = [], banned, pending_deletion: isPendingDeletion } = query
  const term = searchTerm(query.search)
  const where: Sql[] = []
  if (term !== undefined) where.push(isUuid(term.toLowerCase()) ? sql`u.id = ${term}::uuid` : containsText(sql`u.search_text`, term))
  if (tiers.length > 0) where.push(sql`u.active_tier = any(${tiers}::text[])`)
  if (benefits.length > 0) where.push(holdsAny(benefits))
  if (banned !== undefined) where.push(banned ? sql`u.banned` : sql`not u.banned`)
  if (isPendingDeletion !== undefined) where.push(isPendingDeletion ? sql`u.delete_at is not null` : sql`u.delete_at is null`)
  return {
    from: sql`users u`,
    where,
    orderBy: KEYS[sort],
    descending: (query.order ?? (sort === 'username' ? 'asc' : 'desc')) === 'desc',
    isId: isUuid,
  }
}

/** Matches users who hold any of these benefits by a grant or by their active tier. */
function holdsAny(keys: readonly string[]): Sql {
  const tiers = TIER_IDS.filter((tier) => benefitsOfTier(tier).some((key) => keys.includes(key)))
  return sql`u.id in (
    select v.id from users v where v.active_tier = any(${tiers}::text[])
    union select g.user_id from benefit_grants g where g.key = any(${[...keys]}::text[]))`
}
