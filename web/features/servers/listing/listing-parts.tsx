import { m } from '#messages'
import { languageName } from '#web/lib/language-name.ts'
import { regionName } from '#web/lib/region-name.ts'
import type { ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import type { ShownServer } from '#web/features/servers/access.ts'
import type { Entitlement } from './entitlement.ts'
import { type ListingInput, readOnlyFields } from './listing-input.ts'

type Part = ConflictPart<ListingInput>

const textOf = (text: string | null) => (text === null || text === '' ? m.common_none() : text)

/** The parts of the listing that the user can edit, for a conflict. */
export function listingParts(server: ShownServer, groups: Entitlement['groups']): Part[] {
  const text = (name: 'name' | 'description' | 'game_mode' | 'website', label: string): Part => ({
    name,
    label,
    fields: [name],
    show: (values) => textOf(values[name]),
  })
  const groupName = (id: string | null) =>
    id === null ? m.servers_listing_group_none() : (groups.find((group) => group.id === id)?.name ?? m.servers_listing_group_unknown())
  const parts: readonly Part[] = [
    text('name', m.servers_listing_name()),
    text('description', m.servers_listing_description()),
    { name: 'language', label: m.servers_listing_language(), fields: ['language'], show: ({ language }) => languageName(language) },
    { name: 'region', label: m.servers_listing_region(), fields: ['region'], show: ({ region }) => textOf(regionName(region)) },
    { name: 'tags', label: m.servers_listing_tags(), fields: ['tags'], show: ({ tags }) => textOf(tags.join(', ')) },
    text('game_mode', m.servers_listing_game_mode()),
    text('website', m.servers_listing_website()),
    {
      name: 'visible',
      label: m.servers_listing_visible(),
      fields: ['visible'],
      show: ({ visible }) => (visible ? m.servers_listing_visible_on() : m.servers_listing_visible_off()),
    },
    { name: 'vanity_url', label: m.servers_listing_vanity(), fields: ['vanity_url'], show: ({ vanity_url }) => textOf(vanity_url) },
    { name: 'group_id', label: m.servers_listing_group(), fields: ['group_id'], show: ({ group_id }) => groupName(group_id) },
    {
      name: 'promoted',
      label: m.servers_listing_promotion(),
      fields: ['promoted'],
      show: ({ promoted }) => (promoted ? m.servers_listing_promoted() : m.servers_listing_not_promoted()),
    },
    {
      name: 'icon_image_id',
      label: m.servers_listing_icon(),
      fields: ['icon_image_id', 'icon_url'],
      show: ({ icon_url }) =>
        icon_url === null ? m.common_none() : <img src={icon_url} alt={m.servers_listing_icon()} className="mt-1 size-12 rounded-6" />,
    },
  ]
  const hidden = readOnlyFields(server)
  return parts.filter(({ fields }) => fields.every((field) => !hidden.includes(field)))
}
