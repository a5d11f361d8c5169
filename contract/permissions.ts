/**
 * What an owner may let a manager do with his servers (contract section 6). Looking comes with any of them; handing over and
 * deleting stay the owner's.
 */

export const PERMISSIONS = {
  EDIT_DETAILS: {
    name: 'Edit details',
    allows: 'Change the name, description, language, tags, game mode and website, and whether players see the server.',
    isDangerous: false,
    fields: ['name', 'description', 'language', 'tags', 'game_mode', 'website', 'visible'],
  },
  EDIT_APPEARANCE: {
    name: 'Edit appearance',
    allows: 'Change the icon, group, promotion and vanity id, as far as your own benefits allow.',
    isDangerous: false,
    fields: ['icon_image_id', 'group_id', 'promoted', 'vanity_url'],
  },
  REISSUE_CREDENTIAL: {
    name: 'Reissue credential',
    allows: 'Make a new credential and see it. Whoever holds it can announce as your server, and the old one ends.',
    isDangerous: true,
    fields: [],
  },
  RESET_ADDRESS: {
    name: 'Reset address',
    allows: 'Forget the bound address, so that the next game server with the credential is taken for yours, wherever it runs.',
    isDangerous: true,
    fields: [],
  },
} as const satisfies Record<string, { name: string; allows: string; isDangerous: boolean; fields: readonly string[] }>

export type Permission = keyof typeof PERMISSIONS
export const PERMISSION_KEYS = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]

/** The permission that a field of a server belongs to; every field has one. */
export function permissionFor(field: string): Permission | undefined {
  return PERMISSION_KEYS.find((key) => (PERMISSIONS[key].fields as readonly string[]).includes(field))
}
