import { useQuery } from '@tanstack/react-query'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import type { Me } from '#contract/users.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { BenefitCard, WideBenefitCard } from './benefit-card.tsx'
import { BenefitGridPending, GRID, WIDE } from './benefits-pending.tsx'
import { benefitsOptions } from './benefits.api.ts'
import { BENEFITS_IN_ORDER } from './standing.ts'

/** All benefits, held or not. */
export function BenefitGrid({ me }: { me: Me }) {
  const { data, error, refetch } = useQuery(benefitsOptions)
  const { data: list } = useQuery(serverListOptions)
  if (!data) {
    if (!error) return <BenefitGridPending />
    return <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
  }
  const hasLauncher = data.some(({ key, held }) => key === 'CUSTOM_LAUNCHER' && held)
  const all = BENEFITS_IN_ORDER.map((key) => data.find((each) => each.key === key)).filter(
    (each): each is BenefitOverview => each !== undefined,
  )
  return (
    <ul className={GRID}>
      {all.map((benefit) =>
        benefit.tier === null ? (
          <li key={benefit.key} className={`flex ${WIDE}`}>
            <WideBenefitCard benefit={benefit} active={me.active_tier} />
          </li>
        ) : (
          <li key={benefit.key} className="flex">
            <BenefitCard benefit={benefit} active={me.active_tier} servers={list?.owned ?? []} hasLauncher={hasLauncher} />
          </li>
        ),
      )}
    </ul>
  )
}
