/**
 * Sign-in and sessions. The identity provider authenticates users. A session is a random id in the cookie and its SHA-256 in the table; it
 * lasts `SESSION_DAYS` from the last use.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { deleteInBatches } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { Caller } from '#backend/platform/http/bind.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { grantSupporterTier } from '#backend/core/supporters/supporters.ts'
import { upsertSignedInUser } from '#backend/core/users/users.ts'
import type { ClientDetails } from './client-details.ts'
import type { PendingSignIn } from './cookies.ts'
import { upsertOidcUser } from './identities.ts'
import type { OidcAnswer } from './oidc.ts'
import { takeRecoveryLink } from './recovery.ts'
import type { Identified, SignInWay } from './sign-in-providers.ts'

const sessionMs = ({ SESSION_DAYS }: Pick<Env, 'SESSION_DAYS'>) => SESSION_DAYS * 86_400_000
/** Minimum time between extensions, so that not every call writes. */
const EXTEND_AFTER_MS = 60_000
/** Used states are remembered for longer than a sign-in may take. */
const REMEMBER_STATE_MS = 3_600_000

const hashOf = (text: string) => hash('sha256', text, 'buffer')

/** What a browser has sent: its pending sign-in, and what the provider's redirect says. */
export interface SignInAnswer {
  readonly pending: PendingSignIn | undefined
  readonly answer: OidcAnswer
}

/**
 * Who signed in. Throws `invalid` if the state is not this browser's, is of another provider or was already used, and `bad-gateway` if the
 * provider does not confirm.
 */
export async function identify(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  way: SignInWay,
  { pending, answer }: SignInAnswer,
): Promise<{ identified: Identified; linksTo: string | undefined }> {
  if (pending === undefined || !timingSafeEqual(hashOf(pending.state), hashOf(answer.state))) throw invalid('SIGN_IN_EXPIRED')
  if (pending.provider !== way.id) throw invalid('SIGN_IN_OF_ANOTHER_PROVIDER')
  const isFirstUse = await insertUsedState(db, hashOf(answer.state), new Date(clock.now() + REMEMBER_STATE_MS))
  if (!isFirstUse) throw invalid('SIGN_IN_USED')
  return { identified: await way.identify(answer, pending), linksTo: pending.linksTo }
}

/** The browser that signs in. */
interface Browser {
  readonly previousSessionId: string | undefined
  readonly client: ClientDetails
}

/** Signs the user in and returns the new session's id, which belongs only into the cookie. */
export function signIn(deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>, identified: Identified, browser: Browser): Promise<string> {
  // In one transaction, so that a concurrent erasure either precedes it (a new account) or deletes the session too.
  return transaction(deps.db, async (trx) => startSession(trx, deps, await upsertUser(trx, deps, identified), browser))
}

/** Signs the user of a recovery link in. Throws `invalid` if the link does not work. */
export function recover(deps: Pick<Deps, 'db' | 'env' | 'clock'>, token: string, browser: Browser): Promise<string> {
  return transaction(deps.db, async (trx) => startSession(trx, deps, await takeRecoveryLink(trx, token), browser))
}

async function upsertUser(trx: Db, deps: Pick<Deps, 'env' | 'log'>, identified: Identified): Promise<string> {
  if (identified.by === 'oidc') return upsertOidcUser(trx, deps, identified.identity, identified.label)
  const { id, isNew } = await upsertSignedInUser(trx, deps.env, identified.identity)
  if (isNew) await grantSupporterTier(trx, id, identified.identity.discordId)
  return id
}

async function startSession(
  trx: Db,
  { env, clock }: Pick<Deps, 'env' | 'clock'>,
  userId: string,
  { previousSessionId, client }: Browser,
): Promise<string> {
  if (previousSessionId !== undefined) await endSession({ db: trx }, previousSessionId)
  const sessionId = randomBytes(32).toString('base64url')
  const times = { last_seen_at: new Date(clock.now()), expires_at: new Date(clock.now() + sessionMs(env)) }
  await trx
    .insertInto('sessions')
    .values({ id_hash: hashOf(sessionId), user_id: userId, ...times, ...client })
    .execute()
  return sessionId
}

/** Names a session within the program, in rate limits and streams: the hash of the secret, as text. */
export const sessionKeyOf = (idHash: Buffer): string => idHash.toString('base64')

/** @param client who uses the session, to extend it; undefined only reads it. @returns `isExtended`: the cookie must be sent again. */
export async function callerOfSession(
  { db, env, clock }: Deps,
  id: string,
  client: (() => ClientDetails) | undefined,
): Promise<{ caller: Caller; isExtended: boolean } | undefined> {
  const idHash = hashOf(id)
  const row = await findCaller(db, idHash)
  if (row === undefined) return undefined
  const now = clock.now()
  const isExtended = client !== undefined && now - row.last_seen_at.getTime() > EXTEND_AFTER_MS
  // While the database is read-only, reading still works.
  if (isExtended) await extendSession(db, idHash, now, now + sessionMs(env), client()).catch(() => undefined)
  const caller: Caller = {
    userId: row.user_id,
    isBanned: row.banned,
    isPendingDeletion: row.delete_at !== null,
    isAdmin: row.is_admin,
    sessionKey: sessionKeyOf(idHash),
  }
  return { caller, isExtended }
}

export async function endSession({ db }: Pick<Deps, 'db'>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', hashOf(id)).execute()
}

/** The session's user with what access control needs; undefined if the session is unknown or expired. */
function findCaller(db: Db, idHash: Buffer) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as user_id', 'users.banned', 'users.delete_at', 'sessions.last_seen_at'])
    .select(sql<boolean>`exists (select from benefit_grants g where g.user_id = users.id and g.key = 'ADMIN')`.as('is_admin'))
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Does nothing if a concurrent call already did, and does not wait for one that is doing it. */
async function extendSession(db: Db, idHash: Buffer, now: number, expiresAt: number, client: ClientDetails): Promise<void> {
  const stale = db
    .selectFrom('sessions')
    .select('id_hash')
    .where('id_hash', '=', idHash)
    .where('last_seen_at', '<', new Date(now - EXTEND_AFTER_MS))
    .forUpdate()
    .skipLocked()
  await db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(now), expires_at: new Date(expiresAt), ...client })
    .where('id_hash', '=', stale)
    .execute()
}

/** False if this state was already used. */
export async function insertUsedState(db: Db, stateHash: Buffer, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insertInto('used_sign_in_states')
    .values({ state_hash: stateHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('state_hash')
    .execute()
  return rows.length === 1
}

/** Deletes expired sessions, used states and recovery links. Sessions that began with a longer `SESSION_DAYS` end by the current one. */
export async function deleteExpiredSignIns({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<void> {
  const isOver = sql<boolean>`expires_at <= now()`
  await deleteInBatches(db, 'sessions', sql`${isOver} or last_seen_at <= now() - make_interval(days => ${env.SESSION_DAYS}::integer)`)
  await db.deleteFrom('used_sign_in_states').where(isOver).execute()
  await db.deleteFrom('recovery_links').where(isOver).execute()
}
