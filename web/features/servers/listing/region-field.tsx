import type { FieldValues } from 'react-hook-form'
import { REGIONS } from '#contract/text/regions.ts'
import { m } from '#messages'
import { regionName } from '#web/lib/region-name.ts'
import { type ChoiceProps, SelectField } from '#web/ui/form/fields.tsx'

/** In the order of the contract, which keeps neighbouring regions together. */
export function RegionField<T extends FieldValues>(props: ChoiceProps<T>) {
  return (
    <SelectField {...props}>
      <option value="">{m.servers_listing_region_none()}</option>
      {REGIONS.map((code) => (
        <option key={code} value={code}>
          {regionName(code)}
        </option>
      ))}
    </SelectField>
  )
}
