import type { ComponentProps } from 'react'
import { REGIONS } from '#contract/regions.ts'
import { m } from '#messages'
import { regionName } from '#web/lib/region-name.ts'

/** In the order of the contract, which keeps neighbouring regions together. */
export function RegionSelect(props: ComponentProps<'select'>) {
  return (
    <select {...props} className="field-input">
      <option value="">{m.servers_listing_region_none()}</option>
      {REGIONS.map((code) => (
        <option key={code} value={code}>
          {regionName(code)}
        </option>
      ))}
    </select>
  )
}
