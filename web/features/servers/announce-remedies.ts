/** What the owner can do about a rejected announce. */
import type { AnnounceAttempt } from '#contract/servers/servers.ts'
import { m } from '#messages'

/** What to do in the game server's settings. The API's remedy is for its developer. */
const REMEDIES: Readonly<Record<string, () => string>> = {
  TOO_OFTEN: m.servers_announces_too_often,
  TOO_MANY_REQUESTS: m.servers_announces_too_many,
  BODY_TOO_LARGE: m.servers_announces_body,
  BODY_NOT_JSON: m.servers_announces_body,
  BODY_WRONG_TYPE: m.servers_announces_body,
  UNAVAILABLE: m.servers_announces_unavailable,
}

/** Whether the owner reads another remedy than the developer. */
export const hasOwnRemedy = (code: string) => Object.hasOwn(REMEDIES, code)

/** Empty if there is nothing to do. */
export const remedyOf = ({ code, remedy }: AnnounceAttempt): string => (hasOwnRemedy(code) ? REMEDIES[code]?.() : undefined) ?? remedy
