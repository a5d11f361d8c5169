/** Who may enter the settings of a benefit (product.md section 2): the refusals are what the error page shows. */
import { benefitKeyOf, type BenefitKey, BENEFIT_KEY_ERRORS, SETTINGS_KEYS, type SettingsKey } from '#contract/benefits.ts'

/** The key that an address names, in any case. Throws one of the refusals. */
export function settingsKeyNamed(text: string): SettingsKey {
  const key = benefitKeyOf(text)
  if (key === undefined) throw new Error(BENEFIT_KEY_ERRORS.unknown)
  const settings = SETTINGS_KEYS.find((each) => each === key)
  if (settings === undefined) throw new Error(BENEFIT_KEY_ERRORS.withoutSettings)
  return settings
}

/** The same, where the person whose settings they are must hold the benefit. */
export function settingsKeyFor(text: string, held: readonly BenefitKey[]): SettingsKey {
  const key = settingsKeyNamed(text)
  if (!held.includes(key)) throw new Error(BENEFIT_KEY_ERRORS.notHeld)
  return key
}
