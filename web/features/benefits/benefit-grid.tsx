import { useQuery } from '@tanstack/react-query'
import { Check, Lock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import type { TierId } from '#contract/benefits/benefits.ts'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { TierName } from '#web/features/users/tier-name.tsx'
import { cx } from '#web/ui/class-names.ts'
import { QueryPending, SkeletonRows } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { BenefitAction, type Servers, Usage, UsedBy, type UsageProps } from './benefit-action.tsx'
import { BenefitIcon } from './benefit-icon.tsx'
import { benefitsOptions } from './benefits.api.ts'
import { inBenefitOrder, nextTier } from './tiers.ts'

export function BenefitGrid({ me }: { me: Me }) {
  const query = useQuery(benefitsOptions)
  const { data: list } = useQuery(serverListOptions)
  const { data } = query
  if (!data) {
    return (
      <QueryPending query={query}>
        <div role="status" aria-label={m.benefits_loading()} className="card space-y-5 p-5">
          <SkeletonRows rows={12} />
        </div>
      </QueryPending>
    )
  }
  const hasLauncher = data.some(({ key, held }) => key === 'CUSTOM_LAUNCHER' && held)
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,300px),1fr))] gap-4">
      {inBenefitOrder(data).map((benefit) => (
        // One without a tier has its own row.
        <li key={benefit.key} className={cx('flex min-w-0', benefit.tier === null && 'col-span-full')}>
          <BenefitCard benefit={benefit} active={me.active_tier} servers={list?.owned ?? []} hasLauncher={hasLauncher} />
        </li>
      ))}
    </ul>
  )
}

function BenefitCard({ benefit, active, servers, hasLauncher }: UsageProps & { active: TierId | null; servers: Servers }) {
  const titleId = useId()
  const { key, name, description, held, tier, used_by: usedBy } = benefit
  return (
    <article aria-labelledby={titleId} className="card flex min-w-0 flex-1 flex-col p-5">
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <BenefitIcon benefit={key} muted={!held} />
        <BenefitState benefit={benefit} active={active} />
      </header>
      <h3 id={titleId} className="mt-3 font-semibold">
        {name}
      </h3>
      <p className="mt-1 text-13 text-pretty text-ink-2">{description}</p>
      {held && tier !== null && (
        <CardFooter>
          <Usage benefit={benefit} hasLauncher={hasLauncher} />
          <BenefitAction benefit={benefit} servers={servers} hasLauncher={hasLauncher} />
        </CardFooter>
      )}
      {!held && usedBy.length > 0 && (
        <CardFooter>
          <UsedBy servers={usedBy} message={m.benefits_locked_settings} />
        </CardFooter>
      )}
    </article>
  )
}

function CardFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="mt-auto pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line pt-3.5">{children}</div>
    </footer>
  )
}

function BenefitState({ benefit, active }: { benefit: BenefitOverview; active: TierId | null }) {
  const Icon = benefit.held ? Check : Lock
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-12 text-ink-2">
      <Icon size={14} className={cx('shrink-0', benefit.held && 'text-ok')} aria-hidden="true" />
      {!benefit.held && <span className="sr-only">{m.benefits_locked()} </span>}
      {stateText(benefit, active)}
    </span>
  )
}

function stateText({ held, source, tier }: BenefitOverview, active: TierId | null): ReactNode {
  if (held) return source === 'tier' && active !== null ? <TierText message={m.benefits_tier_with} tier={active} /> : m.benefits_granted()
  if (tier === null) return m.benefits_granted_admin_only()
  return nextTier(tier) === null ? <TierName tier={tier} /> : <TierText message={m.benefits_tier_from} tier={tier} />
}

function TierText({ message, tier }: { message: typeof m.benefits_tier_with | typeof m.benefits_tier_from; tier: TierId }) {
  return (
    <span className="inline-flex items-center gap-1">
      <RichText message={message} tags={{ tier: () => <TierName tier={tier} /> }} />
    </span>
  )
}
