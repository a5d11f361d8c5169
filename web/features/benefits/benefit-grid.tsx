import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Lock } from 'lucide-react'
import { Fragment, type ReactNode, useId } from 'react'
import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import type { BenefitKey, TierId } from '#contract/benefits/benefits.ts'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { TierName } from '#web/features/users/tier-name.tsx'
import { listFormat } from '#web/lib/lists.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { cx } from '#web/ui/class-names.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { BenefitIcon } from './benefit-icon.tsx'
import { benefitsOptions } from './benefits.api.ts'
import { BenefitGridSkeleton, GRID, WIDE } from './benefits-skeletons.tsx'
import { isUsedOnServer, BenefitAction } from './benefit-action.tsx'
import { inBenefitOrder, nextTier } from './tiers.ts'

export function BenefitGrid({ me }: { me: Me }) {
  const { data, error, refetch } = useQuery(benefitsOptions)
  const { data: list } = useQuery(serverListOptions)
  if (!data) {
    if (!error) return <BenefitGridSkeleton />
    return <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
  }
  const hasLauncher = data.some(({ key, held }) => key === 'CUSTOM_LAUNCHER' && held)
  return (
    <ul className={GRID}>
      {inBenefitOrder(data).map((benefit) =>
        benefit.tier === null ? (
          <li key={benefit.key} className={`flex min-w-0 ${WIDE}`}>
            <WideBenefitCard benefit={benefit} active={me.active_tier} />
          </li>
        ) : (
          <li key={benefit.key} className="flex min-w-0">
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
  const { key, name, description, held, used_by: usedBy } = benefit
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
      {held && (
        <CardFooter>
          <Usage benefit={benefit} owned={servers.length} hasLauncher={hasLauncher} />
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

/** A benefit without usage or settings. It fills a row. */
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
      <BenefitState benefit={benefit} active={active} />
    </article>
  )
}

function BenefitState({ benefit: { held, source, tier }, active }: { benefit: BenefitOverview; active: TierId | null }) {
  if (held) {
    return (
      <Mark>
        <Check size={14} className="shrink-0 text-ok" aria-hidden="true" />
        {source === 'tier' && active !== null ? <TierText message={m.benefits_tier_with} tier={active} /> : m.benefits_granted()}
      </Mark>
    )
  }
  return (
    <Mark>
      <Lock size={13} className="shrink-0" aria-hidden="true" />
      <span className="sr-only">{m.benefits_locked()} </span>
      {tier === null ? m.benefits_granted_admin_only() : <FromTier tier={tier} />}
    </Mark>
  )
}

function FromTier({ tier }: { tier: TierId }) {
  return nextTier(tier) === null ? <TierName tier={tier} /> : <TierText message={m.benefits_tier_from} tier={tier} />
}

function TierText({ message, tier }: { message: typeof m.benefits_tier_with | typeof m.benefits_tier_from; tier: TierId }) {
  return (
    <span className="inline-flex items-center gap-1">
      <RichText message={message} tags={{ tier: () => <TierName tier={tier} /> }} />
    </span>
  )
}

function Mark({ children }: { children: ReactNode }) {
  return <span className="inline-flex min-w-0 items-center gap-1.5 text-12 text-ink-2">{children}</span>
}

function CardFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="mt-auto pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line pt-3.5">{children}</div>
    </footer>
  )
}

/** Hints for benefits that nothing uses yet. */
const UNUSED: Readonly<Partial<Record<BenefitKey, string>>> = {
  CLIENT_CLOUD_AUTH: m.benefits_no_setup(),
  MASTERLIST_GROUPS: m.benefits_unused_groups(),
}

function Usage({
  benefit: { key, used_by: usedBy },
  owned,
  hasLauncher,
}: {
  benefit: BenefitOverview
  owned: number
  hasLauncher: boolean
}) {
  if (usedBy.length > 0) return <UsedBy servers={usedBy} message={m.benefits_used_by} owned={owned} />
  if (isUsedOnServer(key)) return null
  const needsLauncher = key === 'CUSTOM_UI_URL' && !hasLauncher
  return (
    <p className="min-w-0 flex-1 basis-36 text-13 text-pretty text-ink-3">
      {needsLauncher ? m.benefits_ui_needs_launcher() : (UNUSED[key] ?? m.benefits_unused())}
    </p>
  )
}

interface UsedByProps {
  servers: readonly { public_id: string; name: string }[]
  message: typeof m.benefits_used_by | typeof m.benefits_locked_settings
  /** The user's server count. If all servers use the benefit, they are counted instead of named. */
  owned?: number
}

/** Beyond this, a count replaces the names. */
const MAX_NAMED = 2
const LINK = 'rounded-6 font-medium text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current'

function UsedBy({ servers, message, owned }: UsedByProps) {
  const isAll = servers.length > MAX_NAMED && servers.length === owned
  const named = isAll ? [] : servers.slice(0, servers.length === MAX_NAMED + 1 ? MAX_NAMED + 1 : MAX_NAMED)
  const rest = servers.length - named.length
  const links = named.map(({ public_id, name }) => (
    <Link key={public_id} to="/servers/$server_id" params={{ server_id: public_id }} className={cx(LINK, '[overflow-wrap:anywhere]')}>
      {name}
    </Link>
  ))
  if (rest > 0) {
    links.push(
      <Link key="rest" to="/servers" className={LINK}>
        {isAll ? m.benefits_used_by_all({ count: rest }) : m.benefits_used_by_more({ count: rest })}
      </Link>,
    )
  }
  const parts = listFormat.formatToParts(links.map((_, index) => String(index)))
  const content = parts.map(({ type, value }, index) => (
    <Fragment key={index}>{type === 'element' ? links[Number(value)] : value}</Fragment>
  ))
  return (
    <p className="min-w-0 flex-1 basis-44 text-13 text-pretty text-ink-2">
      <RichText message={message} tags={{ servers: () => content }} />
    </p>
  )
}
