/** Benefits and tiers: what a supporter's tier unlocks, and its limits. Edit only this file when a tier changes. */
export const BENEFIT_KEYS = [
  'ADMIN',
  'PROMOTED',
  'CLIENT_CLOUD_AUTH',
  'CUSTOM_LAUNCHER',
  'CUSTOM_UI_URL',
  'CUSTOM_BANNER',
  'CUSTOM_VANITY_URL',
  'CUSTOM_JOIN_BACKGROUND',
  'MASTERLIST_GROUPS',
  'MASTERLIST_TOKEN_CARD_ICONS',
] as const
export type BenefitKey = (typeof BENEFIT_KEYS)[number]

/** What groups of an identity provider can give. */
export const ROLES = ['ADMIN'] as const satisfies readonly BenefitKey[]
export type Role = (typeof ROLES)[number]

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

/** The benefits with a settings page. */
export const SETTINGS_KEYS = ['CUSTOM_BANNER', 'CUSTOM_JOIN_BACKGROUND', 'CUSTOM_LAUNCHER'] as const satisfies readonly BenefitKey[]
export type SettingsKey = (typeof SETTINGS_KEYS)[number]

/** Parses a key from a path, case-insensitive. Uppercases ASCII only, so that no other letter matches one. */
export function benefitKeyOf(text: string): BenefitKey | undefined {
  const upper = text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  return BENEFIT_KEYS.find((key) => key === upper)
}
