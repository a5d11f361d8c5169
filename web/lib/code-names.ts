import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import type { Region } from '#contract/text/regions.ts'
import { m } from '#messages'
import { LOCALE } from './language.ts'

/** By locale: the backend renders public pages in every language. */
const names = new Map<string, Intl.DisplayNames>()

function namesOf(locale: string): Intl.DisplayNames {
  const known = names.get(locale) ?? new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })
  names.set(locale, known)
  return known
}

/** `de` -> `German`. @param unknown what to return if the browser does not know the language */
export function languageName(code: string, unknown = code): string {
  if (code === 'all') return m.lib_language_all()
  try {
    const name = namesOf(LOCALE).of(code)
    if (name === undefined) return unknown
    // Intl returns the form for the middle of a sentence, such as `allemand`.
    return name.charAt(0).toLocaleUpperCase(LOCALE) + name.slice(1)
  } catch {
    return unknown
  }
}

const REGIONS: Readonly<Record<Region, () => string>> = {
  'eu-west': () => m.lib_region_eu_west(),
  'eu-central': () => m.lib_region_eu_central(),
  'eu-north': () => m.lib_region_eu_north(),
  'eu-east': () => m.lib_region_eu_east(),
  'na-east': () => m.lib_region_na_east(),
  'na-west': () => m.lib_region_na_west(),
  'na-central': () => m.lib_region_na_central(),
  sa: () => m.lib_region_sa(),
  'asia-east': () => m.lib_region_asia_east(),
  'asia-south': () => m.lib_region_asia_south(),
  'asia-southeast': () => m.lib_region_asia_southeast(),
  oceania: () => m.lib_region_oceania(),
  'middle-east': () => m.lib_region_middle_east(),
  africa: () => m.lib_region_africa(),
}

/** `eu-west` -> `Europe (west)`. Empty for none, and the code itself for a region of a newer version. */
export function regionName(code: string | null): string {
  if (code === null) return ''
  return isRegion(code) ? REGIONS[code]() : code
}

/** The address of a page can name any code, such as `constructor`. */
const isRegion = (code: string): code is Region => Object.hasOwn(REGIONS, code)

/** The one field with fixed choices. */
export function policyName(policy: string): string {
  return policy === 'follow' ? m.lib_address_policy_follow() : m.lib_address_policy_bound()
}

const NAMES: Readonly<Partial<Record<Control, (code: string) => string>>> = {
  language: languageName,
  region: regionName,
  choice: policyName,
}

/** A text of a field as people read it: codes by their name. Other fields than a server's have no codes. */
export function fieldText(field: string, text: string): string {
  const name = SERVER_FIELD_NAMES.find((each) => each === field)
  return (name && NAMES[serverField(name).control]?.(text)) ?? text
}
