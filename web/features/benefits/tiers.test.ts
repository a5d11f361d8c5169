import { expect, test } from 'vitest'
import { BENEFIT_KEYS } from '#contract/benefits.ts'
import { BENEFITS_IN_ORDER, nextTier, includesTier, whyLocked } from './tiers.ts'

test('each tier has a next one, except the last', () => {
  expect(nextTier(null)).toBe('BRONZE')
  expect(nextTier('BRONZE')).toBe('SILVER')
  expect(nextTier('DIAMOND_ALTRUIST')).toBeNull()
})

test('a tier includes itself and the lower tiers', () => {
  expect(includesTier('GOLD', 'GOLD')).toBe(true)
  expect(includesTier('GOLD', 'SILVER')).toBe(true)
  expect(includesTier('GOLD', 'RUBY')).toBe(false)
  expect(includesTier(null, 'BRONZE')).toBe(false)
})

test('every benefit appears once, and benefits without a tier come last', () => {
  expect(BENEFITS_IN_ORDER.toSorted()).toEqual(BENEFIT_KEYS.toSorted())
  expect(BENEFITS_IN_ORDER.at(-1)).toBe('ADMIN')
})

test('the reason for a locked benefit names the current tier', () => {
  expect(whyLocked('GOLD', null)).toBe('You have no tier. This benefit comes with Gold.')
  expect(whyLocked('GOLD', 'SILVER')).toBe('Your tier is Silver. This benefit comes with Gold.')
})
