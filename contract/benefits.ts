/**
 * Benefits and tiers: what a supporter's tier unlocks and how much of everything it allows (contract section 4).
 * This is the one readable file to edit when a tier changes.
 */

/** The colours a benefit can have; the panel gives each a dark and a light value. */
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
    description: 'Look after everybody’s servers and people in the admin area.',
    icon: 'shield',
    hue: 'red',
  },
  PROMOTED: {
    name: 'Promotion',
    description: 'One of your servers stands above the others on the list, with a mark of its own.',
    icon: 'megaphone',
    hue: 'amber',
  },
  CLIENT_CLOUD_AUTH: {
    name: 'Cloud Auth',
    description: 'Your servers can ask for an id of each player: the same at every visit, and another one on other owners’ servers.',
    icon: 'fingerprint',
    hue: 'blue',
  },
  CUSTOM_LAUNCHER: {
    name: 'Custom Launcher',
    description: 'The launcher takes on your name, colour, pictures and news when a player chooses your servers.',
    icon: 'rocket',
    hue: 'violet',
  },
  CUSTOM_UI_URL: {
    name: 'Custom Launcher UI',
    description: 'Your launcher shows a page of your own in place of the standard one.',
    icon: 'app-window',
    hue: 'indigo',
  },
  CUSTOM_BANNER: {
    name: 'Custom Banner',
    description: 'A wide picture on top of the window in which players connect to your servers.',
    icon: 'image',
    hue: 'pink',
  },
  CUSTOM_VANITY_URL: {
    name: 'Custom Vanity URL',
    description: 'Players find a server under a vanity id that you choose, such as @my-town.',
    icon: 'at-sign',
    hue: 'teal',
  },
  CUSTOM_JOIN_BACKGROUND: {
    name: 'Custom Join Background',
    description: 'A picture of yours fills the screen while a player joins.',
    icon: 'wallpaper',
    hue: 'green',
  },
  MASTERLIST_GROUPS: {
    name: 'Server Groups',
    description: 'Your servers stand together on the list under one name.',
    icon: 'layers',
    hue: 'orange',
  },
  MASTERLIST_TOKEN_CARD_ICONS: {
    name: 'Custom Server Appearance',
    description: 'Each of your servers has an icon of its own on the list.',
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

/** Everything that a tier unlocks: what it adds and what all tiers below it add. */
export function benefitsOfTier(tier: TierId | null): BenefitKey[] {
  if (tier === null) return []
  return TIER_IDS.slice(0, TIER_IDS.indexOf(tier) + 1).flatMap((id) => [...TIERS[id].adds])
}

/** How much a tier allows; null is a user without any. */
export function allowanceOfTier(tier: TierId | null): Allowance {
  return tier === null ? WITHOUT_TIER : TIERS[tier]
}

/** The lowest tier that unlocks a benefit; null where none does. */
export function lowestTierWith(key: BenefitKey): TierId | null {
  return TIER_IDS.find((id) => TIERS[id].adds.includes(key)) ?? null
}

/** The benefits with a page of settings (product.md section 9). */
export const SETTINGS_KEYS = ['CUSTOM_BANNER', 'CUSTOM_JOIN_BACKGROUND', 'CUSTOM_LAUNCHER'] as const satisfies readonly BenefitKey[]
export type SettingsKey = (typeof SETTINGS_KEYS)[number]

/** What a route with a benefit's key refuses, word for word (product.md section 2). */
export const BENEFIT_KEY_ERRORS = {
  unknown: 'Invalid benefit key',
  withoutSettings: 'Benefit does not have a settings page',
  notHeld: 'User does not have this benefit',
} as const

/** A key as a route has it, in any case; undefined where there is no such benefit. Only ASCII letters are raised, so no other letter can pass for one. */
export function benefitKeyOf(text: string): BenefitKey | undefined {
  const raised = text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return BENEFIT_KEYS.find((key) => key === raised)
}

/** The fields of a server that need a benefit of its owner, and which. */
export const FIELD_BENEFITS = {
  vanity_url: 'CUSTOM_VANITY_URL',
  group_id: 'MASTERLIST_GROUPS',
  promoted: 'PROMOTED',
  icon_image_id: 'MASTERLIST_TOKEN_CARD_ICONS',
} as const satisfies Record<string, BenefitKey>
export type BenefitField = keyof typeof FIELD_BENEFITS
export const BENEFIT_FIELDS = Object.keys(FIELD_BENEFITS) as [BenefitField, ...BenefitField[]]
