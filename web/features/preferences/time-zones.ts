/** The time zones to choose from. */
import { compareTexts } from '#web/lib/lists.ts'

interface TimeZoneGroup {
  /** `Europe`. */
  readonly area: string
  readonly zones: readonly { readonly id: string; readonly city: string }[]
}

/** Browsers still list some zones under the names that they had long ago. */
const RENAMED_ZONES = [
  { from: 'Africa/Asmera', to: 'Africa/Asmara' },
  { from: 'America/Godthab', to: 'America/Nuuk' },
  { from: 'Asia/Calcutta', to: 'Asia/Kolkata' },
  { from: 'Asia/Katmandu', to: 'Asia/Kathmandu' },
  { from: 'Asia/Rangoon', to: 'Asia/Yangon' },
  { from: 'Asia/Saigon', to: 'Asia/Ho_Chi_Minh' },
  { from: 'Atlantic/Faeroe', to: 'Atlantic/Faroe' },
  { from: 'Europe/Kiev', to: 'Europe/Kyiv' },
  { from: 'Pacific/Ponape', to: 'Pacific/Pohnpei' },
  { from: 'Pacific/Truk', to: 'Pacific/Chuuk' },
] as const

const currentNameOf = (id: string): string => RENAMED_ZONES.find(({ from }) => from === id)?.to ?? id

/** `Asia/Calcutta` -> `Asia/Kolkata`, `America/New_York` -> `America/New York`. */
export const timeZoneName = (id: string): string => currentNameOf(id).replaceAll('_', ' ')

/** `America/Argentina/Buenos_Aires` -> `Argentina, Buenos Aires`. */
function cityOf(id: string): string {
  return id.split('/').slice(1).join(', ').replaceAll('_', ' ')
}

/**
 * The zones that the browser knows by area, sorted by city. Includes the chosen one, which the browser may not list.
 * Zones without an area, such as UTC, come last in a group of their own.
 */
export function timeZoneGroups(known: readonly string[], chosen: string | null): TimeZoneGroup[] {
  const ids = new Set([...known.map(currentNameOf), 'UTC', ...(chosen === null ? [] : [chosen])])
  const zones = Array.from(ids, (id) => ({ id, area: id.includes('/') ? (id.split('/', 1)[0] ?? '') : '', city: cityOf(id) || id }))
  const areas = Map.groupBy(zones, ({ area }) => area)
  return [...areas]
    .map(([area, inArea]) => ({ area, zones: inArea.toSorted((a, b) => compareTexts(a.city, b.city)) }))
    .toSorted((a, b) => Number(a.area === '') - Number(b.area === '') || compareTexts(a.area, b.area))
}
