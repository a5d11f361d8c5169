/** Connections that break, and replies that no master list sends. */
import { type Answer, accepted, broken, redirected, rejected, replyBody, unusable } from '../answers.ts'
import type { Scenario } from '../scenario.ts'

/** The second announce fails once. */
const once = (name: string, about: string, answer: Answer): Scenario => ({
  name,
  about,
  answers: [accepted(2), answer, accepted(2)],
  announces: 4,
  seconds: answer.breaks === undefined ? 36 : 20,
})

const PAGE = '<html><body>Sign in to this network</body></html>'

export const FAILED: readonly Scenario[] = [
  once('reply-not-json', 'The reply is cut JSON.', unusable('200 with broken JSON', { body: '{"publicId":"c0nf0rm","listed":tr' })),
  once('reply-empty', 'The reply has no body.', unusable('200 without a body', { body: '' })),
  once('reply-null', 'The reply is the JSON null.', unusable('200 with null', { body: 'null' })),
  once(
    'reply-page',
    'A network answers with its sign-in page.',
    unusable('200 with a page', { headers: { 'content-type': 'text/html' }, body: PAGE }),
  ),
  once(
    'interval-missing',
    'The reply has no nextAnnounceSeconds.',
    unusable('200 without nextAnnounceSeconds', { body: '{"publicId":"c0nf0rm","listed":true}' }),
  ),
  once('interval-zero', 'nextAnnounceSeconds is 0.', unusable('200, nextAnnounceSeconds 0', { body: JSON.stringify(replyBody(0)) })),
  once('interval-negative', 'nextAnnounceSeconds is -5.', unusable('200, nextAnnounceSeconds -5', { body: JSON.stringify(replyBody(-5)) })),
  once(
    'interval-text',
    'nextAnnounceSeconds is a word.',
    unusable('200, nextAnnounceSeconds "soon"', { body: JSON.stringify(replyBody('soon')) }),
  ),
  once(
    'interval-huge',
    'nextAnnounceSeconds is 32 years.',
    unusable('200, nextAnnounceSeconds 1000000000', { body: JSON.stringify(replyBody(1_000_000_000)) }),
  ),
  once('redirected', 'The list redirects to another address.', redirected(307)),
  ...[301, 302, 303, 308].map((status): Scenario => ({
    name: `redirected-${status}`,
    about: `The list redirects the first announce to another address with ${status}.`,
    answers: [redirected(status)],
    announces: 1,
    watchSeconds: 2,
    seconds: 4,
  })),
  once(
    'bad-gateway',
    'A proxy replies 502 with a page.',
    unusable('502 with a page', { status: 502, headers: { 'content-type': 'text/html' }, body: PAGE }),
  ),
  once('server-error', 'The list replies 500 without a reason.', unusable('500', { status: 500, body: '{}' })),
  once('reply-cut', 'The connection closes in the middle of the reply.', broken('half a reply, then the end', 'truncated')),
  once('reply-not-http', 'The reply is not HTTP.', broken('not HTTP', 'garbage')),
  once('reset', 'The connection is reset before the reply.', broken('reset', 'before')),
  once('reset-in-reply', 'The connection is reset in the middle of the reply.', broken('half a reply, then a reset', 'during')),
  {
    name: 'reset-twice',
    about: 'Two connections in a row are reset.',
    answers: [broken('reset', 'before'), broken('reset', 'before'), accepted(2)],
    announces: 4,
    seconds: 40,
  },
  {
    name: 'silent-list',
    about: 'The list takes the announce and never replies.',
    answers: [accepted(2), broken('no reply', 'never'), accepted(2)],
    announces: 3,
    seconds: 25,
  },
  {
    name: 'down-at-start',
    about: 'The list is down when the server starts, and up five seconds later.',
    answers: [accepted(2)],
    announces: 2,
    downAtStartMs: 5000,
    seconds: 14,
  },
  {
    name: 'restart',
    about: 'The list is down for five seconds.',
    answers: [accepted(2), accepted(2, { text: '200, then down for 5 seconds', downMs: 5000 }), accepted(2)],
    announces: 4,
    seconds: 16,
  },
  {
    name: 'graceful-restart',
    about: 'The list replies 503 while it stops, is down for four seconds, and returns.',
    answers: [accepted(2), { ...rejected(503, 'UNAVAILABLE', { retryAfter: 2 }), downMs: 4000 }, accepted(2)],
    announces: 4,
    seconds: 16,
  },
]
