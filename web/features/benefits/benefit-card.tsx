import { Link } from '@tanstack/react-router'
import { Check, Lock, Settings2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import { type BenefitKey, type TierId, TIERS } from '#contract/benefits.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { BenefitIcon } from './benefit-icon.tsx'
import { NextUse, settingsPath } from './next-use.tsx'
import { whyLocked } from './standing.ts'
import { TierName } from './tier-name.tsx'
import { UsedBy } from './used-by.tsx'

interface BenefitCardProps {
  benefit: BenefitOverview
  active: TierId | null
  servers: readonly { public_id: string; name: string }[]
  hasLauncher: boolean
  className?: string | undefined
}

/** One benefit: what it is, whether and why one holds it, what uses it, and the way to use it. */
export function BenefitCard({ benefit, active, servers, hasLauncher, className }: BenefitCardProps) {
  const titleId = useId()
  const { key, name, description, held } = benefit
  return (
    <article aria-labelledby={titleId} className={cx('card flex min-w-0 flex-col p-5', className)}>
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
            <Action benefit={benefit} servers={servers} hasLauncher={hasLauncher} />
          </>
        ) : (
          <Locked benefit={benefit} active={active} />
        )}
      </footer>
    </article>
  )
}

function Standing({ benefit: { held, source, tier }, active }: { benefit: BenefitOverview; active: TierId | null }) {
  if (held) {
    const from = source === 'tier' && active !== null ? `With your tier, ${TIERS[active].name}` : 'Granted to you'
    return (
      <Mark>
        <Check size={14} className="shrink-0 text-ok" aria-hidden="true" />
        {from}
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

/** What was set is kept while the benefit is away. */
function Locked({ benefit: { key, used_by: usedBy }, active }: { benefit: BenefitOverview; active: TierId | null }) {
  return (
    <div className="min-w-0 space-y-1">
      <p className="text-13 text-pretty text-ink-3">{whyLocked(key, active)}</p>
      {usedBy.length > 0 && <UsedBy servers={usedBy} lead="What you set is kept, hidden from players:" />}
    </div>
  )
}

/** Said of a held benefit that nothing uses yet. */
const UNUSED: Readonly<Partial<Record<BenefitKey, string>>> = {
  ADMIN: 'Works by itself.',
  CLIENT_CLOUD_AUTH: 'Works by itself: your servers only have to ask.',
  MASTERLIST_GROUPS: 'No server is in a group yet.',
  PROMOTED: 'No server is promoted yet.',
  MASTERLIST_TOKEN_CARD_ICONS: 'No server has an icon yet.',
}

function Use({ benefit: { key, used_by: usedBy }, owned, hasLauncher }: { benefit: BenefitOverview; owned: number; hasLauncher: boolean }) {
  if (usedBy.length > 0) return <UsedBy servers={usedBy} lead="Used by" owned={owned} />
  const needs = key === 'CUSTOM_UI_URL' && !hasLauncher
  return (
    <p className="text-13 text-pretty text-ink-3">
      {needs ? 'Needs Custom Launcher too: the address stands in its settings.' : (UNUSED[key] ?? 'No server uses it yet.')}
    </p>
  )
}

type ActionProps = Pick<BenefitCardProps, 'benefit' | 'servers' | 'hasLauncher'>

function Action({ benefit: { key, name, has_settings: hasSettings, used_by: usedBy }, servers, hasLauncher }: ActionProps) {
  if (!hasSettings) return <NextUse benefit={key} used={usedBy.length > 0} servers={servers} hasLauncher={hasLauncher} />
  return (
    <Link to={settingsPath(key)} className={buttonClass('secondary')}>
      <Settings2 size={15} aria-hidden="true" />
      Settings
      <span className="sr-only"> of {name}</span>
    </Link>
  )
}
