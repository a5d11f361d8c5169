/** The time zones to choose from. */

export interface TimeZoneGroup {
  /** `Europe`. */
  readonly area: string
  readonly zones: readonly { readonly id: string; readonly city: string }[]
}

/** `America/Argentina/Buenos_Aires` -> `Argentina, Buenos Aires`. */
function cityOf(id: string): string {
  return id.split('/').slice(1).join(', ').replaceAll('_', ' ')
}

/**
 * The zones that the browser knows by area, sorted by city. Includes the chosen one, which may have another name in this browser.
 * Zones without an area, such as UTC, come last in a group of their own.
 */
export function timeZoneGroups(known: readonly string[], chosen: string | null): TimeZoneGroup[] {
  const ids = new Set([...known, 'UTC', ...(chosen === null ? [] : [chosen])])
  const zones = Array.from(ids, (id) => ({ id, area: id.includes('/') ? (id.split('/', 1)[0] ?? '') : '', city: cityOf(id) || id }))
  const areas = Map.groupBy(zones, ({ area }) => area)
  return [...areas]
    .map(([area, inArea]) => ({ area, zones: inArea.toSorted((a, b) => a.city.localeCompare(b.city, 'en')) }))
    .toSorted((a, b) => Number(a.area === '') - Number(b.area === '') || a.area.localeCompare(b.area, 'en'))
}
