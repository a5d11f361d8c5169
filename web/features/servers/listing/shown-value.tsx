/** The value of a field as people read it. */
import type { ReactNode } from 'react'
import { type ServerFieldName, serverField } from '#contract/server-field-shapes.ts'
import type { SERVER_FIELDS } from '#contract/server-fields.ts'
import { m } from '#messages'
import { languageName } from '#web/lib/language-name.ts'
import { regionName } from '#web/lib/region-name.ts'
import type { Entitlement } from './entitlement.ts'
import type { ListingInput } from './listing-input.ts'

type Show = (value: unknown, values: Pick<ListingInput, 'icon_url'>, groups: Entitlement['groups']) => ReactNode

const asText: Show = (value) => value as string

const SHOW: Readonly<Record<(typeof SERVER_FIELDS)[ServerFieldName]['control'], Show>> = {
  line: asText,
  lines: asText,
  url: asText,
  language: (code) => languageName(code as string),
  region: (code) => regionName(code as string),
  tags: (tags) => (tags as string[]).join(', '),
  switch: (isOn) => (isOn === true ? m.servers_listing_on() : m.servers_listing_off()),
  image: (_, { icon_url }) => icon_url && <img src={icon_url} alt={serverField('icon_image_id').label()} className="mt-1 size-12 rounded-6" />,
  group: (id, _, groups) => groups.find((group) => group.id === id)?.name ?? m.servers_listing_group_unknown(),
  vanity_id: (id) => <span className="font-mono">@{id as string}</span>,
}

/** Null for a field without a value. */
export function shownValue(name: ServerFieldName, values: ListingInput, groups: Entitlement['groups']): ReactNode {
  const value = values[name]
  return value === null || value === '' ? null : SHOW[serverField(name).control](value, values, groups) || null
}
