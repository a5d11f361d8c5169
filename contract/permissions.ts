/** The permissions of managers (contract section 6). Each includes viewing. Only the owner can transfer or delete a server. */
import { m } from '#api-messages'

export const PERMISSIONS = {
  EDIT_DETAILS: {
    name: () => m.permission_edit_details(),
    allows: () => m.permission_edit_details_allows(),
    isDangerous: false,
    fields: ['name', 'description', 'language', 'region', 'tags', 'game_mode', 'website', 'visible'],
  },
  EDIT_APPEARANCE: {
    name: () => m.permission_edit_appearance(),
    allows: () => m.permission_edit_appearance_allows(),
    isDangerous: false,
    fields: ['icon_image_id', 'group_id', 'promoted', 'vanity_url'],
  },
  REISSUE_CREDENTIAL: {
    name: () => m.permission_reissue_credential(),
    allows: () => m.permission_reissue_credential_allows(),
    isDangerous: true,
    fields: [],
  },
  RESET_ADDRESS: {
    name: () => m.permission_reset_address(),
    allows: () => m.permission_reset_address_allows(),
    isDangerous: true,
    fields: [],
  },
} as const satisfies Record<string, { name: () => string; allows: () => string; isDangerous: boolean; fields: readonly string[] }>

export type Permission = keyof typeof PERMISSIONS
export const PERMISSION_KEYS = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]

/** The permission to change a server field; every field has one. */
export function permissionFor(field: string): Permission | undefined {
  return PERMISSION_KEYS.find((key) => (PERMISSIONS[key].fields as readonly string[]).includes(field))
}
