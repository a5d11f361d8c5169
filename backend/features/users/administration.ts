/** What administrators do with people. Whoever may take an administrator away waits for the others who may. */
import { sql } from 'kysely'
import type { Limits } from '#contract/users-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden, notFound } from '#backend/platform/errors.ts'
import { BY_SYSTEM, type By, diff, recordEvent } from '#backend/features/events/events.ts'
import { endOfBan } from './ban-end.ts'
import {
  countOtherAdministrators,
  listEndedBans,
  listGrants,
  lockAdministrators,
  lockUserWithEndedBan,
  updateUser,
} from './users.queries.ts'
import { type UserRow, actorOf, lockPeople, userOf } from './users.ts'

/**
 * Holds the administrator and the user he acts on, and answers the latter. Throws where the one may not act any more, or the other is not
 * there.
 */
export async function holdForAdmin(trx: Db, adminId: string, userId: string): Promise<UserRow> {
  const people = await lockPeople(
    trx,
    { id: userId, how: 'update' },
    ...(adminId === userId ? [] : [{ id: adminId, how: 'share' } as const]),
  )
  actorOf(people, adminId)
  if (!(await isAdministrator(trx, adminId))) throw forbidden('You are not an administrator any more.')
  const user = people.get(userId)
  if (user === undefined) throw notFound('user')
  return user
}

/** Whether a user may administrate as far as his benefits go. */
export async function isAdministrator(db: Db, userId: string): Promise<boolean> {
  return (await listGrants(db, userId)).some((grant) => grant.key === 'ADMIN')
}

/** Throws where this person is the last one who could administrate. Call it before any user is held. */
export async function refuseLastAdministrator(trx: Db, userId: string, whatFor: string): Promise<void> {
  // Whoever is none keeps nobody waiting. He may become one meanwhile, but then somebody else made him so, who is one.
  if (!(await isAdministrator(trx, userId))) return
  await lockAdministrators(trx)
  if (!(await isAdministrator(trx, userId)) || (await countOtherAdministrators(trx, userId)) > 0) return
  throw forbidden(`You are the last administrator, so you can't ${whatFor}. Make somebody else an administrator first.`)
}

interface BanInput {
  readonly banned: boolean
  readonly banReason?: string | undefined
  readonly banned_until?: string | null | undefined
}

/**
 * Bans a user, or lifts a ban. A ban ends their offers and those made to them; nothing they began commits after this has. A deletion
 * that came due during the ban begins its waiting time again.
 */
export function banUser(db: Db, adminId: string, userId: string, input: BanInput, deletionDelayHours: number): Promise<void> {
  return transaction(db, async (trx) => {
    // Somebody else's ban leaves the one who bans, unless he goes in the same moment: he counts after this has committed, or before.
    if (adminId === userId && input.banned) await refuseLastAdministrator(trx, userId, 'ban yourself')
    else if (await isAdministrator(trx, userId)) await lockAdministrators(trx)
    const user = await holdForAdmin(trx, adminId, userId)
    // Banning again without a reason keeps the one there is.
    const said = input.banReason ?? user.ban_reason ?? ''
    const next: Ban = {
      banned: input.banned,
      ban_reason: input.banned && said !== '' ? said : null,
      banned_until: input.banned ? await endOfBan(trx, input.banned_until, user) : null,
    }
    await setBan(trx, user, next, { as: 'administrator', actorId: adminId }, deletionDelayHours)
  })
}

type Ban = Pick<UserRow, 'banned' | 'ban_reason' | 'banned_until'>

/** A deletion that came due meanwhile begins its waiting time anew: it must not follow on the heels of the ban. */
async function setBan(trx: Db, user: UserRow, next: Ban, by: By, deletionDelayHours: number): Promise<void> {
  const before: Ban = { banned: user.banned, ban_reason: user.ban_reason, banned_until: user.banned_until }
  const changed = diff(before, { ...next })
  if (changed === undefined) return
  const inFull = sql<Date>`now() + make_interval(secs => ${deletionDelayHours * 3600})`
  await updateUser(trx, user.id, {
    ...next,
    banned_at: next.banned ? sql<Date>`coalesce(banned_at, now())` : null,
    ...(!next.banned && { delete_at: sql<Date>`case when delete_at <= now() then ${inFull} else delete_at end` }),
  })
  const until = (one: Pick<UserRow, 'delete_at'>) => ({ delete_at: one.delete_at?.toISOString() ?? null })
  const moved = diff(until(user), until(await userOf(trx, user.id)))
  await recordEvent(trx, {
    action: next.banned ? 'ACCOUNT_BANNED' : 'ACCOUNT_UNBANNED',
    ...by,
    ownerId: user.id,
    before: { ...changed.before, ...moved?.before },
    after: { ...changed.after, ...moved?.after },
  })
}

/** Lifts the ban of a person that is over. Does nothing where it was lifted meanwhile, or got another end. */
export function liftUserBan(db: Db, userId: string, deletionDelayHours: number): Promise<void> {
  return transaction(db, async (trx) => {
    const user = await lockUserWithEndedBan(trx, userId)
    const none: Ban = { banned: false, ban_reason: null, banned_until: null }
    if (user !== undefined) await setBan(trx, user, none, BY_SYSTEM, deletionDelayHours)
  })
}

/** People whose ban is over. @param except those that could not be lifted a moment ago. */
export function endedUserBans(db: Db, except: readonly string[]): Promise<string[]> {
  return listEndedBans(db, except)
}

/** Sets a user's own limits; null is what his tier allows. What he has stays. */
export async function changeLimits(db: Db, adminId: string, userId: string, limits: Limits): Promise<void> {
  const asked = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as Limits
  await transaction(db, async (trx) => {
    const user = await holdForAdmin(trx, adminId, userId)
    // Told in the words of the API.
    const own = { max_masterlist_tokens: user.max_servers, max_managers: user.max_managers, max_masterlist_groups: user.max_groups }
    const changed = diff(own, asked)
    if (changed === undefined) return
    const next = { ...own, ...asked }
    await updateUser(trx, userId, {
      max_servers: next.max_masterlist_tokens,
      max_managers: next.max_managers,
      max_groups: next.max_masterlist_groups,
    })
    await recordEvent(trx, { action: 'LIMITS_CHANGED', as: 'administrator', actorId: adminId, ownerId: userId, ...changed })
  })
}
