import { expect, test } from 'vitest'
import type { Server } from '#contract/servers/servers.ts'
import { issueIdOf, lastAnnounceAt, noAnnounceText, openReasons, reasonText, statusOf } from './status.ts'

const notBanned = { ban_reason: null, banned_until: null }
const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`

function server(more: Partial<Server>, ...reasons: [code: string, minute: number][]): Server {
  const listing = {
    listed: reasons.some(([code]) => code === 'LISTED'),
    reasons: reasons.map(([code, minute]) => ({ code, message: code, since: at(minute) })),
  }
  const unused = { credential_last_used_at: null, previous_credential_last_used_at: null }
  return { ...notBanned, banned: false, status: 'offline', live: null, ...unused, listing, ...more } as Server
}

test('a status starts with its cause, not with a newer rejection', () => {
  expect(statusOf(server({}, ['BODY_INVALID', 9], ['OFFLINE', 2]))).toMatchObject({ key: 'offline', since: at(2), reason: 'BODY_INVALID' })
  expect(statusOf(server({}, ['CREDENTIAL_REISSUED', 5], ['CREDENTIAL_REVOKED', 9], ['LEFT', 3]))).toMatchObject({ since: at(3) })
  expect(statusOf(server({ status: 'online' }, ['LISTED', 1], ['BODY_INVALID', 9]))).toMatchObject({
    key: 'online',
    since: at(1),
    reason: '',
  })
  expect(statusOf(server({ status: 'online' }, ['BODY_INVALID', 9], ['HIDDEN', 4]))).toMatchObject({ key: 'unlisted', since: at(4) })
  expect(statusOf(server({ status: 'never_seen' }, ['NEVER_ANNOUNCED', 0])).since).toBeNull()
})

test('an unproven host and a second process are warnings on a listed server, and other notices are none', () => {
  const codesOf = (...reasons: [string, number][]) => openReasons(server({ status: 'online' }, ...reasons)).map(({ code }) => code)
  expect(codesOf(['LISTED', 1], ['ENDPOINT_UNPROVEN', 2], ['PRIVATE_ADDRESS', 3], ['TWO_PROCESSES', 4], ['BODY_INVALID', 5])).toEqual([
    'ENDPOINT_UNPROVEN',
    'TWO_PROCESSES',
  ])
  expect(codesOf(['PRIVATE_ADDRESS', 3], ['ENDPOINT_UNPROVEN', 2])).toEqual(['PRIVATE_ADDRESS', 'ENDPOINT_UNPROVEN'])
  const duplicate = server({ status: 'online' }, ['BODY_INVALID', 9], ['DUPLICATE_ADDRESS', 4])
  expect(statusOf(duplicate)).toMatchObject({ key: 'unlisted', tone: 'warn', since: at(4) })
})

test('a ban shows no duration, which would read as its length', () => {
  expect(statusOf(server({ banned: true }, ['SERVER_BANNED', 6], ['OFFLINE', 2]))).toMatchObject({ key: 'banned', since: null })
})

test('the last announce is the newest one with any credential', () => {
  expect(lastAnnounceAt(server({ credential_last_used_at: at(1), previous_credential_last_used_at: at(3) }))).toBe(at(3))
  expect(lastAnnounceAt(server({ credential_last_used_at: at(4), previous_credential_last_used_at: at(3) }))).toBe(at(4))
  expect(lastAnnounceAt(server({ previous_credential_last_used_at: at(3) }))).toBe(at(3))
  expect(lastAnnounceAt(server({}))).toBeNull()
})

test('only a server with a new credential says that it has not announced since the reissue', () => {
  expect(noAnnounceText(server({ status: 'never_seen', credential_hint: 'mdBT' }))).toBe('never')
  expect(noAnnounceText(server({ credential_hint: 'mdBT' }))).toBe('not since reissue')
  expect(noAnnounceText(server({ credential_hint: '' }))).toBe('–')
})

const ID = '0190f5a4-3c1e-7b2a-9d8e-5f6a7b8c9d0e'
const heldBack = {
  code: 'HELD_BACK',
  message: `A protection issue keeps the server off the public list. Too many announces: https://panel.example/protection-issues/${ID}. Its page says more.`,
}

test('the issue link is removed from the message and its ID is returned', () => {
  expect(issueIdOf(heldBack)).toBe(ID)
  expect(reasonText(heldBack, notBanned)).toBe(
    'A protection issue keeps the server off the public list. Too many announces. Its page says more.',
  )
  // French has a space before the colon.
  expect(reasonText({ code: 'HELD_BACK', message: `Trop d’annonces : https://panel.example/protection-issues/${ID}.` }, notBanned)).toBe(
    'Trop d’annonces.',
  )
})

test('a ban has its reason, and its end in local time, in every language of the message', () => {
  const banned = { code: 'SERVER_BANNED', message: 'Le serveur est banni. Le bannissement prend fin le 1 janvier 2027 à 12:00 UTC.' }
  expect(issueIdOf(banned)).toBeUndefined()
  expect(reasonText(banned, notBanned)).toBe('The server is banned from the list.')
  expect(reasonText(banned, { ban_reason: 'Stolen name', banned_until: '2027-01-01T12:00:00.000Z' })).toMatch(
    /^The server is banned from the list\. The reason: Stolen name\. The ban ends on 1 Jan 2027, \d\d:00:00\.$/,
  )
})
