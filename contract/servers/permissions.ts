/** The permissions of managers that their owner grants. Each includes viewing. Only the owner can transfer or delete a server. */
import { m } from '#api-messages'

export const PERMISSIONS = {
  EDIT_DETAILS: { name: () => m.permission_edit_details(), allows: () => m.permission_edit_details_allows(), isDangerous: false },
  EDIT_APPEARANCE: { name: () => m.permission_edit_appearance(), allows: () => m.permission_edit_appearance_allows(), isDangerous: false },
  REISSUE_CREDENTIAL: {
    name: () => m.permission_reissue_credential(),
    allows: () => m.permission_reissue_credential_allows(),
    isDangerous: true,
  },
  RESET_ADDRESS: { name: () => m.permission_reset_address(), allows: () => m.permission_reset_address_allows(), isDangerous: true },
} as const satisfies Record<string, { name: () => string; allows: () => string; isDangerous: boolean }>

export type Permission = keyof typeof PERMISSIONS
export const PERMISSION_KEYS = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]
