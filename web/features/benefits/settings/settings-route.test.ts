import { expect, test } from 'vitest'
import { BENEFIT_KEYS } from '#contract/benefits.ts'
import { settingsKeyFor } from './settings-route.ts'

test('a key in any case leads to the settings of a benefit that is held', () => {
  for (const text of ['CUSTOM_BANNER', 'custom_banner', 'Custom_Banner'])
    expect(settingsKeyFor(text, ['CUSTOM_BANNER'])).toBe('CUSTOM_BANNER')
})

test('what is no benefit, has no settings or is not held is refused word for word', () => {
  expect(() => settingsKeyFor('nothing', BENEFIT_KEYS)).toThrow(/^Invalid benefit key$/)
  expect(() => settingsKeyFor('toString', BENEFIT_KEYS)).toThrow(/^Invalid benefit key$/)
  // Upper-cased by the rules of a language, the Turkish dotless letter would pass for another one.
  expect(() => settingsKeyFor('adm\u0131n', BENEFIT_KEYS)).toThrow(/^Invalid benefit key$/)
  expect(() => settingsKeyFor('promoted', BENEFIT_KEYS)).toThrow(/^Benefit does not have a settings page$/)
  expect(() => settingsKeyFor('custom_launcher', ['CUSTOM_BANNER'])).toThrow(/^User does not have this benefit$/)
})
