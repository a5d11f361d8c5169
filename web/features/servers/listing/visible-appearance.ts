import type { BenefitField } from '#contract/benefits.ts'
import type { Server } from '#contract/servers.ts'

export interface VisibleAppearance {
  readonly iconUrl: string | null
  readonly group: string | null
  readonly promoted: boolean
  readonly vanity: string | null
}

export function visibleAppearance({ dormant, icon_url, group, promoted, vanity_url }: Server): VisibleAppearance {
  const seen = (field: BenefitField) => !dormant.includes(field)
  return {
    iconUrl: seen('icon_image_id') ? icon_url : null,
    group: seen('group_id') ? (group?.name ?? null) : null,
    promoted: promoted && seen('promoted'),
    vanity: seen('vanity_url') ? vanity_url : null,
  }
}

/** `37 / 128`, as a preview has it; made up for a server that is not online. */
export function playersText(live: Server['live']): string {
  return live ? `${live.players} / ${live.max_players}` : '0 / 128'
}
