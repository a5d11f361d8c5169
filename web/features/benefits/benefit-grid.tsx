import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Lock } from 'lucide-react'
import { Fragment, type ReactNode, useId } from 'react'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import type { BenefitKey, TierId } from '#contract/benefits.ts'
import type { Me } from '#contract/users.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { TierName } from '#web/features/users/tier-name.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { cx } from '#web/ui/class-names.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { BenefitIcon } from './benefit-icon.tsx'
import { benefitsOptions } from './benefits.api.ts'
import { BenefitGridPending, GRID, WIDE } from './benefits-pending.tsx'
import { isNextStepEnough, NextUse } from './next-use.tsx'
import { inBenefitOrder, whyLocked } from './tiers.ts'

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

interface BenefitCardProps {
  benefit: BenefitOverview
  active: TierId | null
  servers: readonly { public_id: string; name: string }[]
  hasLauncher: boolean
}

function BenefitCard({ benefit, active, servers, hasLauncher }: BenefitCardProps) {
  const titleId = useId()
  const { key, name, description, held } = benefit
  return (
    <article aria-labelledby={titleId} className="card flex min-w-0 flex-1 flex-col p-5">
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <BenefitIcon benefit={key} muted={!held} />
        <Standing benefit={benefit} active={active} />
      </header>
      <h3 id={titleId} className="mt-3 font-semibold">
        {name}
      </h3>
      <p className="mt-1 mb-4 text-13 text-pretty text-ink-2">{description}</p>
      <footer className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line pt-3.5">
        {held ? (
          <>
            <Use benefit={benefit} owned={servers.length} hasLauncher={hasLauncher} />
            <NextUse benefit={benefit} servers={servers} hasLauncher={hasLauncher} />
          </>
        ) : (
          <Locked benefit={benefit} active={active} />
        )}
      </footer>
    </article>
  )
}

/** A benefit with nothing to use and nothing to set, across the whole row. */
function WideBenefitCard({ benefit, active }: Pick<BenefitCardProps, 'benefit' | 'active'>) {
  const titleId = useId()
  return (
    <article aria-labelledby={titleId} className="card flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3 p-5">
      <BenefitIcon benefit={benefit.key} muted={!benefit.held} />
      <div className="min-w-0 flex-1 basis-56">
        <h3 id={titleId} className="font-semibold">
          {benefit.name}
        </h3>
        <p className="mt-0.5 text-13 text-pretty text-ink-2">{benefit.description}</p>
      </div>
      <Standing benefit={benefit} active={active} />
    </article>
  )
}

function Standing({ benefit: { held, source, tier }, active }: { benefit: BenefitOverview; active: TierId | null }) {
  if (held) {
    return (
      <Mark>
        <Check size={14} className="shrink-0 text-ok" aria-hidden="true" />
        {source === 'tier' && active !== null ? (
          <span className="inline-flex items-center gap-1">
            With <TierName tier={active} />
          </span>
        ) : (
          'Granted to you'
        )}
      </Mark>
    )
  }
  return (
    <Mark>
      <Lock size={13} className="shrink-0" aria-hidden="true" />
      <span className="sr-only">Locked: </span>
      {tier === null ? (
        'Given by administrators only'
      ) : (
        <span className="inline-flex items-center gap-1">
          From <TierName tier={tier} /> on
        </span>
      )}
    </Mark>
  )
}

function Mark({ children }: { children: ReactNode }) {
  return <span className="inline-flex min-w-0 items-center gap-1.5 text-12 text-ink-2">{children}</span>
}

function Locked({ benefit: { tier, used_by: usedBy }, active }: { benefit: BenefitOverview; active: TierId | null }) {
  return (
    <div className="min-w-0 space-y-1">
      {tier !== null && <p className="text-13 text-pretty text-ink-3">{whyLocked(tier, active)}</p>}
      {usedBy.length > 0 && <UsedBy servers={usedBy} lead="What you set is kept, hidden from players:" />}
    </div>
  )
}

/** Said of a held benefit that nothing uses yet. */
const UNUSED: Readonly<Partial<Record<BenefitKey, string>>> = {
  CLIENT_CLOUD_AUTH: 'Works by itself: your servers only have to ask.',
  MASTERLIST_GROUPS: 'No server is in a group yet.',
}

function Use({ benefit: { key, used_by: usedBy }, owned, hasLauncher }: { benefit: BenefitOverview; owned: number; hasLauncher: boolean }) {
  if (usedBy.length > 0) return <UsedBy servers={usedBy} lead="Used by" owned={owned} />
  if (isNextStepEnough(key)) return null
  const needs = key === 'CUSTOM_UI_URL' && !hasLauncher
  return (
    <p className="min-w-0 flex-1 basis-36 text-13 text-pretty text-ink-3">
      {needs ? 'Needs Custom Launcher too: the address stands in its settings.' : (UNUSED[key] ?? 'No server uses it yet.')}
    </p>
  )
}

interface UsedByProps {
  servers: readonly { public_id: string; name: string }[]
  lead: string
  /** How many servers one has: where all of many use it they are not named. */
  owned?: number
}

/** More names than this say less than their number. */
const NAMED = 2
const LINK = 'rounded-6 font-medium text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current'

function UsedBy({ servers, lead, owned }: UsedByProps) {
  const shown = servers.length > NAMED && servers.length === owned ? [] : servers.slice(0, servers.length === NAMED + 1 ? NAMED + 1 : NAMED)
  const more = servers.length - shown.length
  return (
    <p className="min-w-0 flex-1 basis-44 text-13 text-pretty text-ink-2">
      {lead}{' '}
      {shown.map(({ public_id, name }, index) => (
        <Fragment key={public_id}>
          {index > 0 && (index === servers.length - 1 ? ' and ' : ', ')}
          <Link to="/servers/$server_id" params={{ server_id: public_id }} className={cx(LINK, '[overflow-wrap:anywhere]')}>
            {name}
          </Link>
        </Fragment>
      ))}
      {more > 0 && (
        <>
          {shown.length > 0 ? ' and ' : 'all '}
          <Link to="/servers" className={LINK}>
            {shown.length > 0 ? `${more} more servers` : `${more} servers`}
          </Link>
        </>
      )}
    </p>
  )
}
