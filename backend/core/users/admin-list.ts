/** The administrators' list of users: each sort and filter as a scan along an index (docs/decisions/0015). */
import { sql } from 'kysely'
import { TIER_IDS, benefitsOfTier } from '#contract/benefits/benefits.ts'
import { MAX_COUNTED } from '#contract/api/paging.ts'
import type { AdminUsersQuery } from '#contract/users/users-admin.ts'
import { type Condition, type PagedList, type IndexScan, containsText, searchTerm } from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'

type Query = Omit<AdminUsersQuery, 'page' | 'per_page' | 'after' | 'before'>

const TIER = sql`u.active_tier`
const ID = { sql: sql`u.id`, type: 'uuid' } as const
const KEYS = {
  created_at: [{ sql: sql`u.created_at`, type: 'timestamptz' }, ID],
  signed_in_at: [{ sql: sql`u.signed_in_at`, type: 'timestamptz' }, ID],
  username: [{ sql: sql`lower(u.username)`, type: 'text' }, ID],
} as const

/** Throws `invalid` for a search that no text can match. */
export function adminUserList(query: Query): PagedList {
  const { sort = 'created_at', tiers = [], benefits = [], banned, pending_deletion: isPendingDeletion } = query
  const order = query.order ?? (sort === 'username' ? 'asc' : 'desc')
  const term = searchTerm(query.search)
  const byIndex = sort === 'created_at' ? indexedFilterFor(tiers, banned) : {}
  const byTiers = tiersGranting(benefits)
  const isByBenefitsAlone = term === undefined && tiers.length === 0 && banned === undefined && isPendingDeletion === undefined
  return {
    scans: [{ from: sql`users u`, orderBy: KEYS[sort], descending: order === 'desc', ...byIndex }],
    where: [...searchConditions(term), ...filters(query, byIndex)],
    // Benefits alone match many users, so they are counted from indexes only.
    ...(byTiers.length > 0 && isByBenefitsAlone && { countScans: [holdersScan(benefits)] as const }),
    // Few users await deletion or hold a benefit that no tier includes, and the planner estimates them well.
    isExact: isId(term) || isPendingDeletion === true || (benefits.length > 0 && byTiers.length === 0),
    isId: isUuid,
  }
}

const isId = (term: string | undefined) => term !== undefined && isUuid(term.toLowerCase())

function searchConditions(term: string | undefined): Condition[] {
  if (term === undefined) return []
  return [isId(term) ? { predicate: sql`u.id = ${term}::uuid` } : containsText(sql`u.search_text`, term)]
}

/** The conditions that the chosen index doesn't cover. */
function filters({ benefits = [], tiers = [], banned, pending_deletion: isPendingDeletion }: Query, byIndex: IndexedFilter): Condition[] {
  const conditions: Condition[] = []
  if (benefits.length > 0) conditions.push(holdsAnyCondition(benefits))
  if (isPendingDeletion !== undefined)
    conditions.push({ predicate: isPendingDeletion ? sql`u.delete_at is not null` : sql`u.delete_at is null` })
  if (byIndex.anyOf === undefined && tiers.length > 0) conditions.push({ predicate: sql`${TIER} = any(${tiers}::text[])` })
  if (byIndex.where === undefined && banned !== undefined) conditions.push({ predicate: banned ? sql`u.banned` : sql`not u.banned` })
  return conditions
}

type IndexedFilter = Pick<IndexScan, 'anyOf' | 'where' | 'isDisjoint'>

/** Uses the per-tier indexes or the index of banned users, which are also sorted by creation. */
function indexedFilterFor(tiers: readonly string[], banned: boolean | undefined): IndexedFilter {
  if (tiers.length > 0) return { anyOf: [...new Set(tiers)].map((tier) => sql`${TIER} = ${tier}`), isDisjoint: true }
  return banned === true ? { where: sql`u.banned` } : {}
}

const tiersGranting = (keys: readonly string[]) => TIER_IDS.filter((tier) => benefitsOfTier(tier).some((key) => keys.includes(key)))

/** A scan that counts the holders of any of these benefits without reading rows of `users`. */
function holdersScan(keys: readonly string[]): IndexScan {
  const max = MAX_COUNTED + 1
  const from = sql`(
    (select v.id from users v where v.active_tier = any(${tiersGranting(keys)}::text[]) limit ${max})
    union (select distinct g.user_id from benefit_grants g where g.key = any(${[...keys]}::text[]) limit ${max})) u`
  return { from, orderBy: [ID], descending: false, matchesAll: true }
}

/** Matches users who hold any of these benefits by a grant or by their active tier. */
function holdsAnyCondition(keys: readonly string[]): Condition {
  const tiers = tiersGranting(keys)
  return {
    predicate: sql`(${TIER} = any(${tiers}::text[]) or exists (select from benefit_grants g where g.user_id = u.id and g.key = any(${[...keys]}::text[])))`,
    indexed: sql`u.id in (
      select v.id from users v where v.active_tier = any(${tiers}::text[])
      union select g.user_id from benefit_grants g where g.key = any(${[...keys]}::text[]))`,
  }
}
