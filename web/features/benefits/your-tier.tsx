import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUpRight, Gem } from 'lucide-react'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { TIERS } from '#contract/benefits/benefits.ts'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { LimitMeters } from '#web/features/users/limits.tsx'
import { TIER_TEXT_CLASS } from '#web/features/users/tier-name.tsx'
import { formatList } from '#web/lib/lists.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { nextTier } from './tiers.ts'

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
    <section aria-label={m.tiers_current()} className="card flex flex-col divide-line max-lg:divide-y lg:flex-row lg:divide-x">
      <div className="flex min-w-0 flex-1 items-center gap-4 p-5">
        <span
          aria-hidden="true"
          className={cx(
            'inline-flex size-12 shrink-0 items-center justify-center rounded-10 bg-current/12',
            active === null ? 'text-ink-3' : TIER_TEXT_CLASS[active],
          )}
        >
          <Gem size={24} />
        </span>
        <div className="min-w-0">
          <div className="flex flex-wrap items-baseline gap-x-2.5">
            <span className={cx('text-16 font-semibold', active !== null && TIER_TEXT_CLASS[active])}>
              {active === null ? m.tiers_none_yet() : TIERS[active].name}
            </span>
            {me.is_tier_forced && <span className="text-12 text-ink-3">{m.tiers_set_by_admin()}</span>}
          </div>
          <p className="mt-0.5 text-13 text-pretty text-ink-2">
            <NextStep me={me} />{' '}
            <Link
              to="."
              hash="tiers"
              resetScroll={false}
              className="inline-flex items-center gap-1 rounded-6 font-medium whitespace-nowrap text-accent hover:underline"
            >
              {m.tiers_compare()}
              <ArrowDown size={13} aria-hidden="true" />
            </Link>
          </p>
          {supportUrl !== undefined && nextTier(me.active_tier) !== null && (
            <a href={supportUrl} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'mt-3')}>
              {m.tiers_support()}
              <ArrowUpRight size={15} aria-hidden="true" />
              <span className="sr-only">{m.benefits_form_new_tab()}</span>
            </a>
          )}
        </div>
      </div>
      <dl className="grid grid-cols-3 content-center gap-x-5 p-5 lg:w-[480px] lg:shrink-0">
        <LimitMeters user={me} used={{ servers, managers: me.gived_managements.length, groups }} />
      </dl>
    </section>
  )
}

function NextStep({ me }: { me: Me }) {
  const next = nextTier(me.active_tier)
  if (next === null) return m.tiers_highest()
  const benefits = formatList(TIERS[next].adds.map((key) => BENEFITS[key].name()))
  return m.tiers_next_step({ tier: TIERS[next].name, benefits, servers: TIERS[next].servers })
}
