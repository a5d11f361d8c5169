/** The server stops. */
import { accepted, broken, redirected, rejected } from '../answers.ts'
import type { Scenario } from '../scenario.ts'

/** The server stops while it waits for its next announce in 30 seconds. */
const stop = (name: string, about: string, more: Partial<Scenario> = {}): Scenario => ({
  name,
  about,
  answers: [accepted(30)],
  announces: 1,
  watchSeconds: 1,
  seconds: 5,
  ...more,
})

export const GOODBYES: readonly Scenario[] = [
  stop('goodbye', 'The server gets SIGTERM during a long wait.'),
  stop('goodbye-interrupt', 'The server gets SIGINT, as from Ctrl+C.', { signal: 'SIGINT' }),
  stop('goodbye-rejected', 'The list rejects the goodbye.', { goodbye: rejected(401, 'CREDENTIAL_REVOKED') }),
  stop('goodbye-unavailable', 'The list replies 503 to the goodbye.', { goodbye: rejected(503, 'UNAVAILABLE', { retryAfter: 60 }) }),
  stop('goodbye-silent-list', 'The list never replies to the goodbye.', { goodbye: broken('no reply', 'never'), seconds: 12 }),
  stop('goodbye-redirected', 'The list redirects the goodbye to another address.', { goodbye: redirected(307) }),
  stop('goodbye-reset', 'The connection of the goodbye is reset.', { goodbye: broken('reset', 'before') }),
  stop('goodbye-list-down', 'The list is down when the server stops.', { isDownAtEnd: true }),
  stop('goodbye-url-with-slash', 'MUSTER_URL ends in a slash.', { urlSuffix: '/' }),
  stop('goodbye-after-rejection', 'The server stops after a rejection.', { answers: [rejected(403, 'SERVER_BANNED')], watchSeconds: 2 }),
  stop('goodbye-while-throttled', 'The server stops while it waits for Retry-After.', {
    answers: [accepted(2), rejected(429, 'TOO_OFTEN', { retryAfter: 60 })],
    announces: 2,
  }),
  stop('goodbye-during-announce', 'The server stops while an announce waits for its reply.', {
    answers: [accepted(2), accepted(30, { text: '200 after 1.5 seconds', delayMs: 1500 })],
    announces: 2,
    signalsInFlight: true,
    watchSeconds: 0.5,
    seconds: 7,
  }),
  stop('goodbye-during-silence', 'The server stops while the list does not reply.', {
    answers: [accepted(2), broken('no reply', 'never')],
    announces: 2,
    signalsInFlight: true,
    seconds: 12,
  }),
]
