import { expect, test } from 'vitest'
import type { Server } from '#contract/servers/servers.ts'
import { publicPath, whyNoPublicPage } from './public-page.ts'

const SINCE = '2026-01-01T00:00:00.000Z'
/** After the server went offline. */
const REISSUED_AT = '2026-01-20T00:00:00.000Z'
const day = (number: number) => Date.parse(SINCE) + number * 86_400_000

function server(more: Partial<Server>, ...codes: string[]): Server {
  const listing = { listed: codes.includes('LISTED'), reasons: codes.map((code) => ({ code, message: code, since: REISSUED_AT })) }
  const unused = { vanity_url: null, icon_url: null, group: null, promoted: false, dormant: [] }
  const offlineSince = more.status === undefined ? SINCE : null
  return {
    public_id: 'aB3dE5g',
    banned: false,
    visible: true,
    status: 'offline',
    offline_since: offlineSince,
    listing,
    ...unused,
    ...more,
  } as unknown as Server
}

test('a server has a page while it is listed, and for 30 days after it went offline', () => {
  expect(whyNoPublicPage(server({ status: 'online' }, 'LISTED', 'UNRANKED'), day(60))).toBeUndefined()
  for (const code of ['OFFLINE', 'LEFT', 'CREDENTIAL_REISSUED', 'NO_CREDENTIAL']) {
    expect(whyNoPublicPage(server({}, 'BODY_INVALID', code), day(29))).toBeUndefined()
    expect(whyNoPublicPage(server({}, 'BODY_INVALID', code), day(30))).toContain('30 days')
  }
})

test.each([
  ['a banned server', server({ banned: true }, 'SERVER_BANNED', 'OFFLINE'), 'Banned'],
  ["a banned owner's server", server({ status: 'online' }, 'OWNER_BANNED'), 'Banned'],
  ['a held-back server', server({ status: 'online' }, 'HELD_BACK'), 'protection issue'],
  ['a hidden server', server({ visible: false }, 'OFFLINE', 'HIDDEN'), 'Show this server'],
  ['a server that never announced', server({ status: 'never_seen' }, 'NEVER_ANNOUNCED'), 'first announce'],
])('%s has none, and one sentence says why', (_, each, reason) => {
  expect(whyNoPublicPage(each, day(0))).toContain(reason)
  expect(whyNoPublicPage(each, day(0))).toMatch(/^[^.]+\.$/)
})

test('the address has the vanity ID, unless players do not see it', () => {
  expect(publicPath(server({ vanity_url: 'harbour' }))).toBe('/s/harbour')
  expect(publicPath(server({ vanity_url: 'harbour', dormant: ['vanity_url'] }))).toBe('/s/aB3dE5g')
})
