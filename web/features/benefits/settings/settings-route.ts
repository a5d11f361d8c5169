/** Who may open a benefit's settings. The error page shows these rejections. */
import { benefitKeyOf, type BenefitKey, BENEFIT_KEY_ERRORS, SETTINGS_KEYS, type SettingsKey } from '#contract/benefits/benefits.ts'

/** The key in a URL, case-insensitive. @throws Error with one of the rejections. */
export function parseBenefitSettingsKey(text: string): SettingsKey {
  const key = benefitKeyOf(text)
  if (key === undefined) throw new Error(BENEFIT_KEY_ERRORS.unknown())
  const settings = SETTINGS_KEYS.find((each) => each === key)
  if (settings === undefined) throw new Error(BENEFIT_KEY_ERRORS.withoutSettings())
  return settings
}

/** Also requires that the owner of the settings has the benefit. */
export function requireBenefitSettingsKey(text: string, benefits: readonly BenefitKey[]): SettingsKey {
  const key = parseBenefitSettingsKey(text)
  if (!benefits.includes(key)) throw new Error(BENEFIT_KEY_ERRORS.notHeld())
  return key
}
