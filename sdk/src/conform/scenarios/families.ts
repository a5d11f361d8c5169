/** The server announces over IPv4 and IPv6. */
import { accepted, rejected } from '../answers.ts'
import type { Scenario } from '../scenario.ts'

/** Three announces over each family. */
const over = (name: string, about: string, more: Partial<Scenario> = {}): Scenario => ({
  name,
  about,
  needs: ['families'],
  families: [4, 6],
  answers: [accepted(2)],
  announces: 3,
  seconds: 6,
  ...more,
})

export const FAMILIES: readonly Scenario[] = [
  over('families-both', 'MUSTER_FAMILIES is 4,6, and the list has both.'),
  over('families-ipv4', 'MUSTER_FAMILIES is 4, and the list has both.', { families: [4] }),
  over('families-ipv6', 'MUSTER_FAMILIES is 6, and the list has both.', { families: [6] }),
  over('families-list-without-ipv6', 'MUSTER_FAMILIES is 4,6, and the list does not listen on IPv6.', { listFamilies: [4] }),
  over('families-list-without-ipv4', 'MUSTER_FAMILIES is 4,6, and the list does not listen on IPv4.', { listFamilies: [6] }),
  over('families-ipv6-rejected', 'The list rejects the first announce over IPv6, and accepts those over IPv4.', {
    answersOver6: [rejected(409, 'ADDRESS_MISMATCH'), accepted(2)],
    announces: 16,
    announcesOver6: 2,
    seconds: 36,
  }),
  over('families-ipv6-throttled', 'The list throttles the first announce over IPv6.', {
    answersOver6: [rejected(429, 'TOO_OFTEN', { retryAfter: 5 }), accepted(2)],
    announces: 4,
    announcesOver6: 2,
    seconds: 10,
  }),
  over('families-banned', 'The list rejects the first announces over both families.', {
    answers: [rejected(403, 'SERVER_BANNED'), accepted(2)],
    announces: 2,
    seconds: 36,
  }),
  over('families-goodbye', 'The server stops while it waits for its next announces in 30 seconds.', {
    answers: [accepted(30)],
    announces: 1,
    watchSeconds: 1,
  }),
]
