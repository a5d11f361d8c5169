/** The administrators' list of people: what it is sorted and narrowed by, as walks along indexes (docs/decisions/0019). */
import { sql } from 'kysely'
import { TIER_IDS, benefitsOfTier } from '#contract/benefits.ts'
import { MOST_COUNTED } from '#contract/paging.ts'
import type { AdminUsersQuery } from '#contract/users-admin.ts'
import { type Condition, type List, type Walk, matching, nameOfList, searchTerm } from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'

type Query = Omit<AdminUsersQuery, 'page' | 'per_page' | 'after' | 'before'>

const TIER = sql`u.active_tier`
const ID = { sql: sql`u.id`, type: 'uuid' } as const
const FROM = sql`users u`
const KEYS = {
  created_at: [{ sql: sql`u.created_at`, type: 'timestamptz' }, ID],
  signed_in_at: [{ sql: sql`u.signed_in_at`, type: 'timestamptz' }, ID],
  username: [{ sql: sql`lower(u.username)`, type: 'text' }, ID],
} as const

/** Throws `invalid` for a search that no text can match. */
export function listOfUsers(query: Query): List {
  const { sort = 'created_at', order: asked } = query
  const order = asked ?? (sort === 'username' ? 'asc' : 'desc')
  const term = searchTerm(query.search)
  const person = term !== undefined && isUuid(term.toLowerCase()) ? term.toLowerCase() : undefined
  const byIndex = sort === 'created_at' ? narrowedWalk(query.tiers ?? [], query.banned) : {}
  return {
    name: nameOfList('users', query),
    walks: [{ from: FROM, by: KEYS[sort], descending: order === 'desc', ...byIndex }],
    where: [...searching(term, person), ...filters(query, byIndex)],
    ...(isByBenefit(query) && { counted: [holders(query.benefits)] as const }),
    isExact: person !== undefined || isForFew(query),
    isId: isUuid,
  }
}

function searching(term: string | undefined, person: string | undefined): Condition[] {
  if (person !== undefined) return [{ test: sql`u.id = ${person}::uuid` }]
  return term === undefined ? [] : [matching(sql`u.search_text`, term)]
}

/** What the walk does not take care of. */
function filters(
  { benefits = [], tiers = [], banned, pending_deletion: isLeaving }: Query,
  byIndex: Pick<Walk, 'any' | 'where'>,
): Condition[] {
  const conditions: Condition[] = []
  if (benefits.length > 0) conditions.push(holdsAny(benefits))
  if (isLeaving !== undefined) conditions.push({ test: isLeaving ? sql`u.delete_at is not null` : sql`u.delete_at is null` })
  if (byIndex.any === undefined && tiers.length > 0) conditions.push({ test: sql`${TIER} = any(${tiers}::text[])` })
  if (byIndex.where === undefined && banned !== undefined) conditions.push({ test: banned ? sql`u.banned` : sql`not u.banned` })
  return conditions
}

/** The indexes of one tier each, or of the banned, which are in the order of creation as well. */
function narrowedWalk(tiers: readonly string[], banned: boolean | undefined): Pick<Walk, 'any' | 'where' | 'isDisjoint'> {
  return {
    ...(tiers.length > 0 && { any: [...new Set(tiers)].map((tier) => sql`${TIER} = ${tier}`), isDisjoint: true }),
    ...(tiers.length === 0 && banned === true && { where: sql`u.banned` }),
  }
}

const tiersWith = (keys: readonly string[]) => TIER_IDS.filter((tier) => benefitsOfTier(tier).some((key) => keys.includes(key)))

/** By benefits that tiers have, and by nothing else: many people, whom indexes count alone. */
function isByBenefit({ benefits, tiers, banned, pending_deletion: isLeaving, search = '' }: Query): boolean {
  const isAlone = (tiers ?? []).length === 0 && banned === undefined && isLeaving === undefined && search === ''
  return isAlone && tiersWith(benefits ?? []).length > 0
}

/** Who leaves, or was granted what no tier has: few at a time, and the planner knows how many. */
function isForFew({ benefits = [], pending_deletion: isLeaving }: Query): boolean {
  return isLeaving === true || (benefits.length > 0 && tiersWith(benefits).length === 0)
}

/** Who holds any of them, to be counted: no person's own row is read. */
function holders(keys: readonly string[] = []): Walk {
  const most = MOST_COUNTED + 1
  const from = sql`(
    (select v.id from users v where v.active_tier = any(${tiersWith(keys)}::text[]) limit ${most})
    union (select distinct g.user_id from benefit_grants g where g.key = any(${[...keys]}::text[]) limit ${most})) u`
  return { from, by: [ID], descending: false, isWhole: true }
}

/** By a grant, or by the tier that counts. */
function holdsAny(keys: readonly string[]): Condition {
  const tiers = tiersWith(keys)
  return {
    test: sql`(${TIER} = any(${tiers}::text[]) or exists (select from benefit_grants g where g.user_id = u.id and g.key = any(${[...keys]}::text[])))`,
    found: sql`u.id in (
      select v.id from users v where v.active_tier = any(${tiers}::text[])
      union select g.user_id from benefit_grants g where g.key = any(${[...keys]}::text[]))`,
  }
}
