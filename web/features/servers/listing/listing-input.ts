/** What the listing's form holds: all that players see of a server and somebody types or chooses. */
import { z } from 'zod'
import { BENEFIT_FIELDS } from '#contract/benefits.ts'
import { permissionFor } from '#contract/permissions.ts'
import { type Server, ServerChanges } from '#contract/servers.ts'
import { may, type ShownServer } from '#web/features/servers/access.ts'

export interface ListingInput {
  name: string
  description: string | null
  language: string
  tags: string[]
  game_mode: string | null
  website: string | null
  visible: boolean
  vanity_url: string | null
  group_id: string | null
  promoted: boolean
  icon_image_id: string | null
  /** Where the chosen icon is served. It goes with the icon's id and is not sent. */
  icon_url: string | null
}

export const TEXT_FIELDS = ['name', 'description', 'language', 'tags', 'game_mode', 'website', 'visible'] as const
/** What is sent, each field by itself and only where it was changed. */
export const SENT_FIELDS = [...TEXT_FIELDS, ...BENEFIT_FIELDS] as const
export const FORM_FIELDS = [...SENT_FIELDS, 'icon_url'] as const

export const Listing = ServerChanges.required().extend({ icon_url: z.string().nullable() })
export type ListingValues = z.output<typeof Listing>

export function listingOf(server: Server): ListingInput {
  const { name, description, language, tags, game_mode, website, visible } = server
  const { vanity_url, group_id, promoted, icon_image_id, icon_url } = server
  return { name, description, language, tags, game_mode, website, visible, vanity_url, group_id, promoted, icon_image_id, icon_url }
}

/** The fields of the form that somebody may look at but not change. */
export function fixedFields(server: ShownServer): (keyof ListingInput)[] {
  return FORM_FIELDS.filter((name) => {
    const permission = permissionFor(name === 'icon_url' ? 'icon_image_id' : name)
    return permission === undefined || !may(server, permission)
  })
}
