/** The last announce attempts of a server as its owner sees them. */
import type { AnnounceAttempt } from '#contract/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { isRefusal, wordingOf } from '#backend/masterlist/reasons.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { ATTEMPTS_KEPT, type Attempt, type Attempts } from './attempts.ts'
import { listAttempts } from './masterlist.queries.ts'

/** Newest first. Of repeated accepted announces those that this node heard. @param server undefined where the list has not read it yet. */
export async function attemptsOf(
  db: Db,
  attempts: Attempts,
  publicId: string,
  server: ServerRecord | undefined,
): Promise<AnnounceAttempt[]> {
  // Memory before the database: what moves from the one to the other meanwhile is then seen twice, never not at all.
  const waiting = server === undefined ? [] : attempts.waitingOf(server)
  const seen = new Set(waiting.map(keyOf))
  const rows = (await listAttempts(db, publicId, ATTEMPTS_KEPT)).map((row) => ({ ...row, at: row.at.getTime() }))
  const saved = rows.filter((row) => !seen.has(keyOf(row)))
  const repeated = server === undefined ? [] : attempts.repeated(server, server.address)
  return [...repeated, ...waiting, ...saved]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, ATTEMPTS_KEPT)
    .map(present)
}

const keyOf = ({ at, code, address, detail }: Attempt) => `${at} ${code} ${address} ${detail}`

function present({ at, code, address, detail }: Attempt): AnnounceAttempt {
  const { message, remedy } = wordingOf(code)
  return {
    at: new Date(at).toISOString(),
    outcome: isRefusal(code) ? 'refused' : 'accepted',
    code,
    message: detail === '' ? message : detail,
    remedy,
    address,
  }
}
