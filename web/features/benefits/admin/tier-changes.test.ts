import { expect, test } from 'vitest'
import type { TierId } from '#contract/benefits/benefits.ts'
import { tierChanges } from './tier-card.tsx'

const userWith = (active: TierId | null, more: object = {}) => ({
  active_tier: active,
  owned_tier: null,
  max_masterlist_tokens: 3,
  max_managers: 2,
  max_masterlist_groups: 0,
  own_limits: { max_masterlist_tokens: null, max_managers: null, max_masterlist_groups: null },
  masterListTokens: [],
  gived_managements: [],
  ...more,
})

test('a higher tier adds its benefits and raises the limits', () => {
  expect(tierChanges(userWith(null), [], 'SILVER')).toEqual({
    gained: ['MASTERLIST_TOKEN_CARD_ICONS', 'CLIENT_CLOUD_AUTH', 'MASTERLIST_GROUPS'],
    lost: [],
    limits: [
      { kind: 'servers', from: 3, to: 8, over: undefined },
      { kind: 'managers', from: 2, to: 5, over: undefined },
      { kind: 'groups', from: 0, to: 1, over: undefined },
    ],
  })
})

test('granted benefits are neither gained nor lost, and a custom limit stays', () => {
  const silver = userWith('SILVER', {
    max_masterlist_tokens: 40,
    max_managers: 5,
    max_masterlist_groups: 1,
    own_limits: { max_masterlist_tokens: 40, max_managers: null, max_masterlist_groups: null },
  })
  expect(tierChanges(silver, ['CLIENT_CLOUD_AUTH'], null)).toEqual({
    gained: [],
    lost: ['MASTERLIST_TOKEN_CARD_ICONS', 'MASTERLIST_GROUPS'],
    limits: [
      { kind: 'managers', from: 5, to: 2, over: undefined },
      { kind: 'groups', from: 1, to: 0, over: undefined },
    ],
  })
})

test('a user above the limits of the tier keeps their servers', () => {
  const [servers] = tierChanges(userWith('BRONZE', { max_masterlist_tokens: 5, masterListTokens: [1, 2, 3, 4] }), [], null).limits
  expect(servers).toEqual({ kind: 'servers', from: 5, to: 3, over: 4 })
})

test('null restores the tier that the user owns', () => {
  expect(tierChanges(userWith('GOLD', { owned_tier: 'GOLD' }), [], null)).toMatchObject({ gained: [], lost: [] })
})
