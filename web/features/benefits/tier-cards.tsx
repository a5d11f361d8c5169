import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUpRight, Gem } from 'lucide-react'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { TIER_IDS, type TierId, TIERS, WITHOUT_TIER } from '#contract/benefits/benefits.ts'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { LimitMeters } from '#web/features/users/limits.tsx'
import { TIER_TEXT_CLASS, TierName } from '#web/features/users/tier-name.tsx'
import { formatList } from '#web/lib/lists.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Card, ListCard } from '#web/ui/card.tsx'
import { cx } from '#web/ui/class-names.ts'
import { BenefitIcon } from './benefit-icon.tsx'
import { includesTier, nextTier } from './tiers.ts'

interface YourTierProps {
  me: Me
  /** Where the next tier can be had. */
  supportUrl: string | undefined
  servers: number | undefined
  groups: number | undefined
}

export function YourTier({ me, supportUrl, servers, groups }: YourTierProps) {
  const { active_tier: active } = me
  return (
    <Card
      title={m.tiers_current()}
      description={
        <>
          <span className="my-1 flex flex-wrap items-baseline gap-x-2.5">
            {active === null ? m.tiers_none_yet() : <TierName tier={active} className="text-20" />}
            {me.is_tier_forced && <span className="text-12 text-ink-3">{m.tiers_set_by_admin()}</span>}
          </span>
          {nextStep(active)}{' '}
          <Link
            to="."
            hash="tiers"
            resetScroll={false}
            className="inline-flex items-center gap-1 rounded-6 font-medium whitespace-nowrap text-accent hover:underline"
          >
            {m.tiers_compare()}
            <ArrowDown size={13} aria-hidden="true" />
          </Link>
        </>
      }
      aside={
        <dl className="grid w-full grid-cols-3 gap-x-5 lg:w-[440px]">
          <LimitMeters user={me} used={{ servers, managers: me.gived_managements.length, groups }} />
        </dl>
      }
    >
      {supportUrl !== undefined && nextTier(active) !== null && (
        <a href={supportUrl} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
          {m.tiers_support()}
          <ArrowUpRight size={15} aria-hidden="true" />
          <span className="sr-only">{m.benefits_form_new_tab()}</span>
        </a>
      )}
    </Card>
  )
}

function nextStep(active: TierId | null): string {
  const next = nextTier(active)
  if (next === null) return m.tiers_highest()
  const benefits = formatList(TIERS[next].adds.map((key) => BENEFITS[key].name()))
  return m.tiers_next_step({ tier: TIERS[next].name, benefits, servers: TIERS[next].servers })
}

const LIMITS = [
  ['servers', m.benefits_allows_servers],
  ['managers', m.benefits_allows_managers],
  ['groups', m.benefits_allows_groups],
] as const
const COLUMNS = 'lg:grid lg:grid-cols-[250px_minmax(0,1fr)_repeat(3,84px)] lg:items-center lg:gap-x-4'

export function TierTable({ me }: { me: Me }) {
  return (
    <ListCard id="tiers" title={m.tiers_heading()} description={m.tiers_about({ brand: brand.name })}>
      <div aria-hidden="true" className={cx(COLUMNS, 'px-5 py-2.5 text-12 text-ink-3 max-lg:hidden')}>
        <span>{m.tiers_tier()}</span>
        <span>{m.tiers_adds()}</span>
        <span className="text-right">{m.nav_servers()}</span>
        <span className="text-right">{m.nav_managers()}</span>
        <span className="text-right">{m.tiers_groups()}</span>
      </div>
      <ol className="divide-y divide-line">
        {[null, ...TIER_IDS].map((tier) => (
          <TierRow key={tier ?? 'none'} tier={tier} me={me} />
        ))}
      </ol>
    </ListCard>
  )
}

function TierMark({ tier, me }: { tier: TierId | null; me: Me }) {
  if (tier === null) return me.active_tier === null && <Mark>{m.tiers_current_none()}</Mark>
  if (tier === me.active_tier) {
    return (
      <>
        <Mark>{m.tiers_current()}</Mark>
        {me.is_tier_forced && <span className="w-full pl-6 text-12 text-ink-3">{m.tiers_set_by_admin()}</span>}
      </>
    )
  }
  if (me.is_tier_forced && tier === me.owned_tier) return <span className="text-12 text-ink-3">{m.tiers_own()}</span>
  return tier === nextTier(me.active_tier) && <span className="text-12 font-medium text-accent">{m.tiers_next()}</span>
}

function Mark({ children }: { children: string }) {
  return <span className="rounded-6 border border-line-strong px-1.5 text-12 font-medium whitespace-nowrap text-ink-1">{children}</span>
}

const NO_TIER = { name: m.tiers_none(), adds: [], ...WITHOUT_TIER }

function TierRow({ tier, me }: { tier: TierId | null; me: Me }) {
  const { name, adds, ...allows } = tier === null ? NO_TIER : TIERS[tier]
  const isOwn = tier !== null && tier === me.active_tier
  return (
    <li aria-current={isOwn ? 'true' : undefined} className={cx(COLUMNS, 'px-5 py-3.5 last:rounded-b-10', isOwn && 'bg-surface-2')}>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className={cx('inline-flex items-center gap-2 font-medium', tier && TIER_TEXT_CLASS[tier])}>
          <Gem
            size={16}
            className={cx('shrink-0', tier ? includesTier(me.active_tier, tier) && 'fill-current/30' : 'text-ink-3')}
            aria-hidden="true"
          />
          {name}
        </span>
        <TierMark tier={tier} me={me} />
      </div>
      <ul aria-label={m.tiers_adds()} className="flex min-w-0 flex-wrap gap-x-4 gap-y-1 max-lg:mt-2 max-lg:pl-6">
        {adds.length === 0 && <li className="text-13 text-ink-3">{m.tiers_basics()}</li>}
        {adds.map((key) => (
          <li key={key} className="inline-flex items-center gap-1.5 text-13 text-ink-1">
            <BenefitIcon benefit={key} bare />
            {BENEFITS[key].name()}
          </li>
        ))}
      </ul>
      <dl className="contents max-lg:mt-2 max-lg:flex max-lg:flex-wrap max-lg:gap-x-4 max-lg:pl-6">
        {LIMITS.map(([key, label]) => (
          // Narrow screens show `3 servers`; wide ones have the noun in the column head.
          <div key={key} className="flex flex-row-reverse gap-1 text-13 max-lg:text-ink-2 lg:justify-start">
            <dt className="lg:sr-only">{label({ count: allows[key] })}</dt>
            <dd className={cx('tabular-nums', allows[key] === 0 && 'text-ink-3')}>{allows[key]}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
