/**
 * Benefits and tiers: what a supporter's tier unlocks and how much of everything it allows (contract section 4).
 * This is the one readable file to edit when a tier changes.
 */

export const BENEFITS = {
  ADMIN: { name: 'Admin', hasSettings: false },
  PROMOTED: { name: 'Promotion', hasSettings: false },
  CLIENT_CLOUD_AUTH: { name: 'Cloud Auth', hasSettings: false },
  CUSTOM_LAUNCHER: { name: 'Custom Launcher', hasSettings: true },
  CUSTOM_UI_URL: { name: 'Custom Launcher UI', hasSettings: false },
  CUSTOM_BANNER: { name: 'Custom Banner', hasSettings: true },
  CUSTOM_VANITY_URL: { name: 'Custom Vanity URL', hasSettings: false },
  CUSTOM_JOIN_BACKGROUND: { name: 'Custom Join Background', hasSettings: true },
  MASTERLIST_GROUPS: { name: 'Server Groups', hasSettings: false },
  MASTERLIST_TOKEN_CARD_ICONS: { name: 'Custom Server Appearance', hasSettings: false },
} as const satisfies Record<string, { name: string; hasSettings: boolean }>

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
