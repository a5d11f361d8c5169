import type { ReactNode } from 'react'
import { type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import type { FormImage } from '#web/features/images/form-image.ts'
import { fieldText } from '#web/lib/code-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { Entitlement } from './entitlement.ts'
import type { ListingInput } from './listing-form.ts'

type Show = (value: unknown, name: ServerFieldName, groups: Entitlement['groups']) => ReactNode

const asText: Show = (value, name) => fieldText(name, value as string)

const SHOW: Readonly<Record<Control, Show>> = {
  line: asText,
  lines: asText,
  url: asText,
  number: (value) => formatNumber(value as number),
  language: asText,
  region: asText,
  tags: (tags) => (tags as string[]).join(', '),
  switch: (isOn) => (isOn === true ? m.servers_listing_on() : m.servers_listing_off()),
  image: (image, name) => <img src={(image as FormImage)?.url} alt={serverField(name).label()} className="mt-1 size-12 rounded-6" />,
  group: (id, _, groups) => groups.find((group) => group.id === id)?.name ?? m.servers_listing_group_unknown(),
  vanity_id: (id) => <span className="font-mono">@{id as string}</span>,
}

/** The value of a field, as people read it. Null for a field without a value. */
export function shownValue(name: ServerFieldName, values: ListingInput, groups: Entitlement['groups']): ReactNode {
  const value = values[name]
  return value === null || value === '' ? null : SHOW[serverField(name).control](value, name, groups) || null
}
