/** What the panel shows of each benefit. Separate from `benefits.ts`, so that the first page does not load it. */
import { m } from '#api-messages'
import type { BenefitKey } from './benefits.ts'

/** The colours of benefits; the panel has a dark and a light shade of each. */
type Hue = 'red' | 'amber' | 'blue' | 'violet' | 'pink' | 'orange' | 'green' | 'teal' | 'indigo' | 'slate'

/**
 * @param description one sentence for its card.
 * @param icon its name in the Lucide set.
 */
const benefit = <Icon extends string>(name: () => string, description: () => string, icon: Icon, hue: Hue) => ({
  name,
  description,
  icon,
  hue,
})

export const BENEFITS = {
  ADMIN: benefit(m.benefit_admin, m.benefit_admin_description, 'shield', 'red'),
  PROMOTED: benefit(m.benefit_promoted, m.benefit_promoted_description, 'megaphone', 'amber'),
  CLIENT_CLOUD_AUTH: benefit(m.benefit_client_cloud_auth, m.benefit_client_cloud_auth_description, 'fingerprint', 'blue'),
  CUSTOM_LAUNCHER: benefit(m.benefit_custom_launcher, m.benefit_custom_launcher_description, 'rocket', 'violet'),
  CUSTOM_UI_URL: benefit(m.benefit_custom_ui_url, m.benefit_custom_ui_url_description, 'app-window', 'indigo'),
  CUSTOM_BANNER: benefit(m.benefit_custom_banner, m.benefit_custom_banner_description, 'image', 'pink'),
  CUSTOM_VANITY_URL: benefit(m.benefit_custom_vanity_url, m.benefit_custom_vanity_url_description, 'at-sign', 'teal'),
  CUSTOM_JOIN_BACKGROUND: benefit(m.benefit_custom_join_background, m.benefit_custom_join_background_description, 'wallpaper', 'green'),
  MASTERLIST_GROUPS: benefit(m.benefit_masterlist_groups, m.benefit_masterlist_groups_description, 'layers', 'orange'),
  MASTERLIST_TOKEN_CARD_ICONS: benefit(
    m.benefit_masterlist_token_card_icons,
    m.benefit_masterlist_token_card_icons_description,
    'palette',
    'slate',
  ),
} as const satisfies Record<BenefitKey, object>
