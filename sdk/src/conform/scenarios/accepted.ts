/** Announces that the list accepts. */
import { type Answer, accepted, acceptedWith, replyBody } from '../answers.ts'
import type { Scenario } from '../scenario.ts'

const notice = (code: string) => ({ code, message: `Message of the notice ${code}.` })

/** A scenario of three announces with the same answer. */
const always = (name: string, about: string, answer: Answer): Scenario => ({ name, about, answers: [answer], announces: 3, seconds: 6 })

export const ACCEPTED: readonly Scenario[] = [
  always('first-announces', 'The list accepts every announce.', accepted(2)),
  { name: 'steady-interval', about: 'Five announces in a row.', answers: [accepted(2)], announces: 5, seconds: 10 },
  {
    name: 'changed-interval',
    about: 'The interval changes from 2 to 7 seconds and back.',
    answers: [accepted(2), accepted(7), accepted(2)],
    announces: 4,
    seconds: 13,
  },
  {
    name: 'long-interval',
    about: 'The next announce is due in 45 seconds.',
    answers: [accepted(45)],
    announces: 1,
    watchSeconds: 8,
    seconds: 10,
  },
  { ...always('url-with-slash', 'MUSTER_URL ends in a slash.', accepted(2)), urlSuffix: '/', announces: 2, seconds: 4 },
  always('slow-reply', 'The list takes three seconds to reply.', accepted(2, { text: '200 after 3 seconds', delayMs: 3000 })),
  always('reply-in-pieces', 'The reply is chunked and arrives over two seconds.', accepted(2, { text: '200 in pieces', trickleMs: 2000 })),
  always(
    'reply-on-several-lines',
    'The JSON of the reply has spaces and line breaks.',
    accepted(2, { text: '200, indented', body: JSON.stringify(replyBody(2), undefined, 2) }),
  ),
  always(
    'unknown-fields',
    'The reply has fields of a newer list, one of which looks like an old one.',
    accepted(2, {
      text: '200 with unknown fields',
      body: JSON.stringify({ hints: { nextAnnounceSecondsMax: 45 }, ...replyBody(2, { region: null }) }),
    }),
  ),
  always(
    'missing-features',
    'The reply of an older list has no features and no notices.',
    accepted(2, { text: '200 without features', body: JSON.stringify({ publicId: 'c0nf0rm', listed: true, nextAnnounceSeconds: 2 }) }),
  ),
  always('no-content-type', 'The reply has no Content-Type.', accepted(2, { text: '200 without Content-Type', headers: {} })),
  always(
    'list-clock-behind',
    'The clock of the list is 25 years behind.',
    accepted(2, { text: '200 with Date in 2001', headers: { Date: 'Mon, 01 Jan 2001 00:00:00 GMT', 'content-type': 'application/json' } }),
  ),
  always(
    'list-clock-ahead',
    'The clock of the list is decades ahead.',
    accepted(2, { text: '200 with Date in 2099', headers: { Date: 'Thu, 01 Jan 2099 00:00:00 GMT', 'content-type': 'application/json' } }),
  ),
  always(
    'connection-closed',
    'Each reply closes its connection.',
    accepted(2, { text: '200, Connection: close', headers: { Connection: 'close', 'content-type': 'application/json' } }),
  ),
  always(
    'idle-connection-lost',
    'The idle connection ends between two announces.',
    accepted(2, { text: '200, then the connection ends', closesAfterMs: 500 }),
  ),
  always('hidden', 'The owner hid the server.', acceptedWith([notice('HIDDEN')], false)),
  always('old-credential', 'The server announces with its old credential.', acceptedWith([notice('OLD_CREDENTIAL')])),
  always('protection-issue', 'A protection issue is open.', acceptedWith([notice('UNREACHABLE')])),
  always(
    'many-notices',
    'The reply has five notices.',
    acceptedWith(['IMPERSONATION', 'IMPLAUSIBLE_PLAYERS', 'PLAYERS_ABOVE_SLOTS', 'CDN_URL_MISSING', 'EARLY_AUTH_URL_MISSING'].map(notice)),
  ),
  {
    name: 'new-notice',
    about: 'A notice appears while the server runs.',
    answers: [accepted(2), acceptedWith([notice('HIDDEN')], false)],
    announces: 3,
    seconds: 6,
  },
]
