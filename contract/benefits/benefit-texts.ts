/** What the panel shows of each benefit. Separate from `benefits.ts`, so that the first page does not load it. */
import { m } from '#api-messages'
import type { BenefitKey } from './benefits.ts'

/** The colours of benefits; the panel has a dark and a light shade of each. */
const HUES = ['red', 'amber', 'blue', 'violet', 'pink', 'orange', 'green', 'teal', 'indigo', 'slate'] as const
export type Hue = (typeof HUES)[number]

interface Benefit {
  readonly name: () => string
  /** One sentence for its card. */
  readonly description: () => string
  /** The icon's name in the Lucide set. */
  readonly icon: string
  readonly hue: Hue
}

export const BENEFITS = {
  ADMIN: { name: m.benefit_admin, description: m.benefit_admin_description, icon: 'shield', hue: 'red' },
  PROMOTED: { name: m.benefit_promoted, description: m.benefit_promoted_description, icon: 'megaphone', hue: 'amber' },
  CLIENT_CLOUD_AUTH: {
    name: m.benefit_client_cloud_auth,
    description: m.benefit_client_cloud_auth_description,
    icon: 'fingerprint',
    hue: 'blue',
  },
  CUSTOM_LAUNCHER: { name: m.benefit_custom_launcher, description: m.benefit_custom_launcher_description, icon: 'rocket', hue: 'violet' },
  CUSTOM_UI_URL: { name: m.benefit_custom_ui_url, description: m.benefit_custom_ui_url_description, icon: 'app-window', hue: 'indigo' },
  CUSTOM_BANNER: { name: m.benefit_custom_banner, description: m.benefit_custom_banner_description, icon: 'image', hue: 'pink' },
  CUSTOM_VANITY_URL: {
    name: m.benefit_custom_vanity_url,
    description: m.benefit_custom_vanity_url_description,
    icon: 'at-sign',
    hue: 'teal',
  },
  CUSTOM_JOIN_BACKGROUND: {
    name: m.benefit_custom_join_background,
    description: m.benefit_custom_join_background_description,
    icon: 'wallpaper',
    hue: 'green',
  },
  MASTERLIST_GROUPS: {
    name: m.benefit_masterlist_groups,
    description: m.benefit_masterlist_groups_description,
    icon: 'layers',
    hue: 'orange',
  },
  MASTERLIST_TOKEN_CARD_ICONS: {
    name: m.benefit_masterlist_token_card_icons,
    description: m.benefit_masterlist_token_card_icons_description,
    icon: 'palette',
    hue: 'slate',
  },
} as const satisfies Record<BenefitKey, Benefit>
