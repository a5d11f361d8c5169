import type { BenefitField } from '#contract/servers/server-field-shapes.ts'
import type { Server } from '#contract/servers/servers.ts'
import { formatNumber } from '#web/lib/format.ts'

type Appearance = Pick<Server, 'dormant' | 'icon_url' | 'group' | 'promoted' | 'vanity_url'>
export type VisibleAppearance = ReturnType<typeof visibleAppearance>

/** What players see of the fields that need a benefit. */
export function visibleAppearance({ dormant, icon_url, group, promoted, vanity_url }: Appearance) {
  const isVisible = (field: BenefitField) => !dormant.includes(field)
  return {
    iconUrl: isVisible('icon_image_id') ? icon_url : null,
    group: isVisible('group_id') ? (group?.name ?? null) : null,
    promoted: promoted && isVisible('promoted'),
    vanity: isVisible('vanity_url') ? vanity_url : null,
  }
}

/** `37 / 128`, or an example if the server is offline. */
export function playersText(live: Server['live']): string {
  return live ? `${formatNumber(live.players)} / ${formatNumber(live.max_players)}` : '0 / 128'
}
