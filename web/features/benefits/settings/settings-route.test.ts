import { expect, test } from 'vitest'
import { BENEFIT_KEYS } from '#contract/benefits/benefits.ts'
import { requireBenefitSettingsKey } from './settings-route.ts'

test('the key of a held benefit is case-insensitive', () => {
  for (const text of ['CUSTOM_BANNER', 'custom_banner', 'Custom_Banner'])
    expect(requireBenefitSettingsKey(text, ['CUSTOM_BANNER'])).toBe('CUSTOM_BANNER')
})

test('unknown keys, benefits without settings and missing benefits have their own errors', () => {
  expect(() => requireBenefitSettingsKey('nothing', BENEFIT_KEYS)).toThrow(/^Invalid benefit key$/)
  expect(() => requireBenefitSettingsKey('toString', BENEFIT_KEYS)).toThrow(/^Invalid benefit key$/)
  // Upper-casing turns the Turkish dotless i into an I.
  expect(() => requireBenefitSettingsKey('adm\u0131n', BENEFIT_KEYS)).toThrow(/^Invalid benefit key$/)
  expect(() => requireBenefitSettingsKey('promoted', BENEFIT_KEYS)).toThrow(/^Benefit does not have a settings page$/)
  expect(() => requireBenefitSettingsKey('custom_launcher', ['CUSTOM_BANNER'])).toThrow(/^User does not have this benefit$/)
})
