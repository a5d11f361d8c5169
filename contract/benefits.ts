/** Benefits and tiers: what a supporter's tier unlocks, and its limits (contract section 4). The only file to edit when a tier changes. */

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
    description: 'Your servers can get an ID for each player: always the same on your servers, and different on other owners’ servers.',
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
    description: 'A wide image at the top of the window in which players connect to your servers.',
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
} as const satisfies Record<string, Benefit>

export type BenefitKey = keyof typeof BENEFITS
export const BENEFIT_KEYS = Object.keys(BENEFITS) as [BenefitKey, ...BenefitKey[]]

export const TIER_IDS = ['BRONZE', 'SILVER', 'GOLD', 'PLATINUM', 'RUBY', 'DIAMOND_ALTRUIST'] as const
export type TierId = (typeof TIER_IDS)[number]

export interface Allowance {
  readonly servers: number
  readonly managers: number
  readonly groups: number
}

interface Tier extends Allowance {
  readonly name: string
  /** What this tier adds to the tier below it. */
  readonly adds: readonly BenefitKey[]
}

export const WITHOUT_TIER: Allowance = { servers: 3, managers: 2, groups: 0 }

export const TIERS: Readonly<Record<TierId, Tier>> = {
  BRONZE: { name: 'Bronze', servers: 5, managers: 3, groups: 0, adds: ['MASTERLIST_TOKEN_CARD_ICONS'] },
  SILVER: { name: 'Silver', servers: 8, managers: 5, groups: 1, adds: ['CLIENT_CLOUD_AUTH', 'MASTERLIST_GROUPS'] },
  GOLD: { name: 'Gold', servers: 12, managers: 8, groups: 2, adds: ['CUSTOM_BANNER', 'CUSTOM_VANITY_URL'] },
  PLATINUM: { name: 'Platinum', servers: 20, managers: 12, groups: 3, adds: ['CUSTOM_JOIN_BACKGROUND'] },
  RUBY: { name: 'Ruby', servers: 30, managers: 20, groups: 5, adds: ['PROMOTED'] },
  DIAMOND_ALTRUIST: {
    name: 'Diamond Altruist',
    servers: 50,
    managers: 30,
    groups: 10,
    adds: ['CUSTOM_LAUNCHER', 'CUSTOM_UI_URL'],
  },
}

/** Everything that a tier unlocks, including what the tiers below it add. */
export function benefitsOfTier(tier: TierId | null): BenefitKey[] {
  if (tier === null) return []
  return TIER_IDS.slice(0, TIER_IDS.indexOf(tier) + 1).flatMap((id) => [...TIERS[id].adds])
}

/** The limits of a tier; null for a user without one. */
export function allowanceOfTier(tier: TierId | null): Allowance {
  return tier === null ? WITHOUT_TIER : TIERS[tier]
}

/** The lowest tier that unlocks a benefit; null if none does. */
export function lowestTierWith(key: BenefitKey): TierId | null {
  return TIER_IDS.find((id) => TIERS[id].adds.includes(key)) ?? null
}

/** The benefits with a settings page (product.md section 9). */
export const SETTINGS_KEYS = ['CUSTOM_BANNER', 'CUSTOM_JOIN_BACKGROUND', 'CUSTOM_LAUNCHER'] as const satisfies readonly BenefitKey[]
export type SettingsKey = (typeof SETTINGS_KEYS)[number]

/** The errors of routes with a benefit key, word for word from product.md section 2. */
export const BENEFIT_KEY_ERRORS = {
  unknown: 'Invalid benefit key',
  withoutSettings: 'Benefit does not have a settings page',
  notHeld: 'User does not have this benefit',
} as const

/** Parses a key from a path, in any case. Uppercases ASCII only, so that no other letter matches one. */
export function benefitKeyOf(text: string): BenefitKey | undefined {
  const upper = text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return BENEFIT_KEYS.find((key) => key === upper)
}

/** The server fields that require a benefit of the owner. */
export const FIELD_BENEFITS = {
  vanity_url: 'CUSTOM_VANITY_URL',
  group_id: 'MASTERLIST_GROUPS',
  promoted: 'PROMOTED',
  icon_image_id: 'MASTERLIST_TOKEN_CARD_ICONS',
} as const satisfies Record<string, BenefitKey>
export type BenefitField = keyof typeof FIELD_BENEFITS
export const BENEFIT_FIELDS = Object.keys(FIELD_BENEFITS) as [BenefitField, ...BenefitField[]]
