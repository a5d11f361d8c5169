import { expect, test } from 'vitest'
import { BENEFIT_KEYS } from '#contract/benefits.ts'
import { BENEFITS_IN_ORDER, nextTier, reaches, whyLocked } from './tiers.ts'

test('after each tier comes the next, after the last none', () => {
  expect(nextTier(null)).toBe('BRONZE')
  expect(nextTier('BRONZE')).toBe('SILVER')
  expect(nextTier('DIAMOND_ALTRUIST')).toBeNull()
})

test('a tier reaches itself and those below it', () => {
  expect(reaches('GOLD', 'GOLD')).toBe(true)
  expect(reaches('GOLD', 'SILVER')).toBe(true)
  expect(reaches('GOLD', 'RUBY')).toBe(false)
  expect(reaches(null, 'BRONZE')).toBe(false)
})

test('every benefit is shown once, and last what no tier gives', () => {
  expect(BENEFITS_IN_ORDER.toSorted()).toEqual(BENEFIT_KEYS.toSorted())
  expect(BENEFITS_IN_ORDER.at(-1)).toBe('ADMIN')
})

test('why a benefit is locked depends on the tier one has', () => {
  expect(whyLocked('GOLD', null)).toBe('You have no tier. This benefit comes with Gold.')
  expect(whyLocked('GOLD', 'SILVER')).toBe('Your tier is Silver. This benefit comes with Gold.')
})
