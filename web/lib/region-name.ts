import type { Region } from '#contract/text/regions.ts'
import { m } from '#messages'

const NAMES: Readonly<Record<Region, () => string>> = {
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
  return isRegion(code) ? NAMES[code]() : code
}

/** The address of a page can name any code, such as `constructor`. */
const isRegion = (code: string): code is Region => Object.hasOwn(NAMES, code)
