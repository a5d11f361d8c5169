/** The permissions of managers. Each includes viewing. Only the owner can transfer or delete a server. */
import { m } from '#api-messages'
import type { ServerChanges } from './servers.ts'

export const PERMISSIONS = {
  EDIT_DETAILS: {
    name: () => m.permission_edit_details(),
    allows: () => m.permission_edit_details_allows(),
    isDangerous: false,
  },
  EDIT_APPEARANCE: {
    name: () => m.permission_edit_appearance(),
    allows: () => m.permission_edit_appearance_allows(),
    isDangerous: false,
  },
  REISSUE_CREDENTIAL: {
    name: () => m.permission_reissue_credential(),
    allows: () => m.permission_reissue_credential_allows(),
    isDangerous: true,
  },
  RESET_ADDRESS: {
    name: () => m.permission_reset_address(),
    allows: () => m.permission_reset_address_allows(),
    isDangerous: true,
  },
} as const satisfies Record<string, { name: () => string; allows: () => string; isDangerous: boolean }>

export type Permission = keyof typeof PERMISSIONS
export const PERMISSION_KEYS = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]

/** The permission that a manager needs to change a field. Without a row here, a field fails the type check, and managers can't change it. */
export const FIELD_PERMISSIONS = {
  name: 'EDIT_DETAILS',
  description: 'EDIT_DETAILS',
  language: 'EDIT_DETAILS',
  region: 'EDIT_DETAILS',
  tags: 'EDIT_DETAILS',
  game_mode: 'EDIT_DETAILS',
  website: 'EDIT_DETAILS',
  visible: 'EDIT_DETAILS',
  icon_image_id: 'EDIT_APPEARANCE',
  group_id: 'EDIT_APPEARANCE',
  promoted: 'EDIT_APPEARANCE',
  vanity_url: 'EDIT_APPEARANCE',
} as const satisfies Record<keyof ServerChanges, Permission>
