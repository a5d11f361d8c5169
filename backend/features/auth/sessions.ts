/** Sessions are rows: a random id in the cookie, its SHA-256 in the table, 30 days from the last use (contract section 3). */
import { hash, randomBytes } from 'node:crypto'
import type { Caller } from '#backend/platform/http/bind.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { deleteExpired, deleteSession, extendSession, findCaller, insertSession } from './auth.queries.ts'
import { SESSION_DAYS } from './cookies.ts'

const SESSION_MS = SESSION_DAYS * 86_400_000
/** A session is moved on at most so often: not a write for each call. */
const EXTEND_AFTER_MS = 3_600_000

export const hashOf = (text: string) => hash('sha256', text, 'buffer')

/** Begins a session and answers its id, which goes into the cookie and nowhere else. */
export async function beginSession({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  await insertSession(db, { idHash: hashOf(id), userId, expiresAt: new Date(clock.now() + SESSION_MS) })
  return id
}

/** Whose session this is. @param mayExtend whether it may move on; `isExtended` where it did and the cookie has to be sent anew. */
export async function callerOfSession(
  { db, clock }: Deps,
  id: string,
  mayExtend: boolean,
): Promise<{ caller: Caller; isExtended: boolean } | undefined> {
  const idHash = hashOf(id)
  const row = await findCaller(db, idHash)
  if (row === undefined) return undefined
  const isExtended = mayExtend && clock.now() - row.last_used_at.getTime() > EXTEND_AFTER_MS
  if (isExtended) await extendSession(db, idHash, new Date(clock.now() + SESSION_MS))
  const caller: Caller = {
    userId: row.user_id,
    isBanned: row.banned,
    isLeaving: row.delete_at !== null,
    isAdmin: row.is_admin === true,
    sessionKey: idHash.toString('base64'),
  }
  return { caller, isExtended }
}

export async function endSession({ db }: Pick<Deps, 'db'>, id: string): Promise<void> {
  await deleteSession(db, hashOf(id))
}

/** Removes sessions that are over and used states that nobody could use any more. */
export async function deleteExpiredSignIns({ db }: Pick<Deps, 'db'>): Promise<void> {
  await deleteExpired(db)
}
