import * as sessions from '#contract/users/sessions.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { clearSession } from './cookies.ts'
import { endOtherSessions, endSessionById, listSessions } from './sessions.ts'

/** @param endStreamsOf closes the session's event streams on all nodes. */
export function bindSessions(bind: Bind, { db, env }: Deps, endStreamsOf: (sessionKey: string) => void): void {
  bind(sessions.list, ({ caller }) => listSessions(db, caller))

  bind(sessions.end, async ({ caller, params, reply }) => {
    const sessionKey = await endSessionById(db, caller.userId, params.id)
    endStreamsOf(sessionKey)
    if (sessionKey === caller.sessionKey) clearSession(env, reply)
  })

  bind(sessions.endOthers, async ({ caller }) => {
    for (const sessionKey of await endOtherSessions(db, caller)) endStreamsOf(sessionKey)
  })
}
