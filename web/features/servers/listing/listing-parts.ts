import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import type { ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import type { Entitlement } from './entitlement.ts'
import { type ListingInput, readOnlyFields } from './listing-input.ts'
import { shownValue } from './field-kinds.tsx'

/** The parts of the listing that the user can edit, for a conflict. */
export function listingParts(server: ShownServer, groups: Entitlement['groups']): ConflictPart<ListingInput>[] {
  const hidden = readOnlyFields(server)
  return SERVER_FIELD_NAMES.filter((name) => !hidden.includes(name)).map((name) => ({
    name,
    label: serverField(name).label(),
    fields: name === 'icon_image_id' ? [name, 'icon_url'] : [name],
    show: (values) => shownValue(name, values, groups) ?? m.common_none(),
  }))
}
