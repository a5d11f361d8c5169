import type { ComponentProps } from 'react'
import { REGIONS } from '#contract/text/regions.ts'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import { Field } from '#web/ui/form/field.tsx'
import { regionName } from '#web/lib/region-name.ts'

/** In the order of the contract, which keeps neighbouring regions together. */
export function RegionField({ error, ...select }: ComponentProps<'select'> & { error: string | undefined }) {
  return (
    <Field label={serverField('region').label()} optional hint={m.servers_listing_region_hint()} error={error}>
      {(control) => (
        <select {...control} {...select} className="field-input">
          <option value="">{m.servers_listing_region_none()}</option>
          {REGIONS.map((code) => (
            <option key={code} value={code}>
              {regionName(code)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
