import { expect, test } from 'vitest'
import type { ServerList } from '#contract/servers/servers.ts'
import { findByVanity, serverLink } from './access.ts'

const list = {
  owned: [
    { public_id: 'aaa', vanity_url: null },
    { public_id: 'bbb', vanity_url: 'mine' },
  ],
  management: [{ public_id: 'ccc', user_id: 'u1', vanity_url: 'theirs', owner: { id: 'u1' } }],
} as unknown as ServerList

test('finds an own and a managed server by vanity ID, and links to the page of each', () => {
  const [mine, theirs] = [findByVanity(list, '@Mine'), findByVanity(list, '@theirs')]
  expect(mine && serverLink(mine)).toEqual({ to: '/servers/$server_id', params: { server_id: 'bbb' } })
  expect(theirs && serverLink(theirs)).toEqual({
    to: '/management/$user_id/servers/$server_id',
    params: { user_id: 'u1', server_id: 'ccc' },
  })
})

test.each(['@', '@nobody', '@null', 'mine'])('%s finds no server', (text) => {
  expect(findByVanity(list, text)).toBeUndefined()
})
