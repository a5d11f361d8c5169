import { useQuery } from '@tanstack/react-query'
import type { Me } from '#contract/users.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { BenefitCard, WideBenefitCard } from './benefit-card.tsx'
import { BenefitGridPending, GRID, WIDE } from './benefits-pending.tsx'
import { benefitsOptions } from './benefits.api.ts'
import { inBenefitOrder } from './standing.ts'

export function BenefitGrid({ me }: { me: Me }) {
  const { data, error, refetch } = useQuery(benefitsOptions)
  const { data: list } = useQuery(serverListOptions)
  if (!data) {
    if (!error) return <BenefitGridPending />
    return <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
  }
  const hasLauncher = data.some(({ key, held }) => key === 'CUSTOM_LAUNCHER' && held)
  return (
    <ul className={GRID}>
      {inBenefitOrder(data).map((benefit) =>
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
