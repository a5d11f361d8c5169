import { expect, test } from 'vitest'
import { BENEFIT_KEYS } from '#contract/benefits/benefits.ts'
import { BENEFITS_IN_ORDER, nextTier, includesTier } from './tiers.ts'

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
