/** What the panel shows of each benefit. Separate from `benefits.ts`, so that the first page does not load it. */
import type { BenefitKey } from './benefits.ts'

/** The colours of benefits; the panel has a dark and a light shade of each. */
const HUES = ['red', 'amber', 'blue', 'violet', 'pink', 'orange', 'green', 'teal', 'indigo', 'slate'] as const
export type Hue = (typeof HUES)[number]

interface Benefit {
  readonly name: string
  /** One sentence for its card. */
  readonly description: string
  /** The icon's name in the Lucide set. */
  readonly icon: string
  readonly hue: Hue
}

export const BENEFITS = {
  ADMIN: {
    name: 'Admin',
    description: 'Manage all servers and users in the admin area.',
    icon: 'shield',
    hue: 'red',
  },
  PROMOTED: {
    name: 'Promotion',
    description: 'One of your servers is pinned above the others on the list, with a badge.',
    icon: 'megaphone',
    hue: 'amber',
  },
  CLIENT_CLOUD_AUTH: {
    name: 'Cloud Auth',
    description: 'Gives each player an ID that is the same on all your servers and different on other owners’ servers.',
    icon: 'fingerprint',
    hue: 'blue',
  },
  CUSTOM_LAUNCHER: {
    name: 'Custom Launcher',
    description: 'The launcher shows your name, colour, images and news when a player selects your servers.',
    icon: 'rocket',
    hue: 'violet',
  },
  CUSTOM_UI_URL: {
    name: 'Custom Launcher UI',
    description: 'Your launcher shows your own page instead of the standard one.',
    icon: 'app-window',
    hue: 'indigo',
  },
  CUSTOM_BANNER: {
    name: 'Custom Banner',
    description: 'A wide image at the top of the connect window.',
    icon: 'image',
    hue: 'pink',
  },
  CUSTOM_VANITY_URL: {
    name: 'Custom Vanity URL',
    description: 'Players find a server under a vanity ID that you choose, such as @my-town.',
    icon: 'at-sign',
    hue: 'teal',
  },
  CUSTOM_JOIN_BACKGROUND: {
    name: 'Custom Join Background',
    description: 'Your image fills the screen while a player joins.',
    icon: 'wallpaper',
    hue: 'green',
  },
  MASTERLIST_GROUPS: {
    name: 'Server Groups',
    description: 'Group your servers under one name on the list.',
    icon: 'layers',
    hue: 'orange',
  },
  MASTERLIST_TOKEN_CARD_ICONS: {
    name: 'Custom Server Appearance',
    description: 'Each of your servers has its own icon on the list.',
    icon: 'palette',
    hue: 'slate',
  },
} as const satisfies Record<BenefitKey, Benefit>
