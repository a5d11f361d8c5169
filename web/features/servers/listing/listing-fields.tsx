import type { ReactNode } from 'react'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { CONTROLS, DETAILS, type Detail, type DetailKind, type DetailsProps } from './field-kinds.tsx'

/** Selects stand side by side. */
const NARROW: readonly DetailKind[] = ['language', 'region']

export function ListingFields(props: DetailsProps) {
  return (
    <div className="card grid gap-5 p-5 sm:grid-cols-2">
      {DETAILS.map((name) => {
        const kind = serverField(name).control as DetailKind
        const Control = CONTROLS[kind] as (props: { name: Detail } & DetailsProps) => ReactNode
        return (
          <div key={name} className={NARROW.includes(kind) ? 'min-w-0' : 'min-w-0 sm:col-span-2'}>
            <Control name={name} {...props} />
          </div>
        )
      })}
    </div>
  )
}
