/** Who may open a benefit's settings. The error page shows these rejections. */
import { m } from '#api-messages'
import { benefitKeyOf, type BenefitKey, SETTINGS_KEYS, type SettingsKey } from '#contract/benefits/benefits.ts'

/** The key in a URL, case-insensitive. @throws Error with one of the rejections. */
export function parseBenefitSettingsKey(text: string): SettingsKey {
  const key = benefitKeyOf(text)
  if (key === undefined) throw new Error(m.error_benefit_key_unknown())
  const settings = SETTINGS_KEYS.find((each) => each === key)
  if (settings === undefined) throw new Error(m.error_benefit_without_settings())
  return settings
}

/** Also requires that the owner of the settings has the benefit. */
export function requireBenefitSettingsKey(text: string, benefits: readonly BenefitKey[]): SettingsKey {
  const key = parseBenefitSettingsKey(text)
  if (!benefits.includes(key)) throw new Error(m.error_benefit_needed_for_settings())
  return key
}
