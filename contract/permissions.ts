/** The permissions of managers (contract section 6). Each includes viewing. Only the owner can transfer or delete a server. */

export const PERMISSIONS = {
  EDIT_DETAILS: {
    name: 'Edit details',
    allows: 'Change the name, description, language, tags, game mode and website, and whether players see the server.',
    isDangerous: false,
    fields: ['name', 'description', 'language', 'tags', 'game_mode', 'website', 'visible'],
  },
  EDIT_APPEARANCE: {
    name: 'Edit appearance',
    allows: 'Change the icon, group, promotion and vanity ID, within your own benefits.',
    isDangerous: false,
    fields: ['icon_image_id', 'group_id', 'promoted', 'vanity_url'],
  },
  REISSUE_CREDENTIAL: {
    name: 'Reissue credential',
    allows: 'Create and see a new credential. Anyone with it can announce as your server, and the old one stops working.',
    isDangerous: true,
    fields: [],
  },
  RESET_ADDRESS: {
    name: 'Reset address',
    allows: 'Clear the bound address. The next game server with the credential is accepted as yours, wherever it runs.',
    isDangerous: true,
    fields: [],
  },
} as const satisfies Record<string, { name: string; allows: string; isDangerous: boolean; fields: readonly string[] }>

export type Permission = keyof typeof PERMISSIONS
export const PERMISSION_KEYS = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]

/** The permission to change a server field; every field has one. */
export function permissionFor(field: string): Permission | undefined {
  return PERMISSION_KEYS.find((key) => (PERMISSIONS[key].fields as readonly string[]).includes(field))
}
