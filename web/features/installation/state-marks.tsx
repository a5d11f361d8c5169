/** How urgent a part is, what to do about it, and where the docs say more. */
import { BookOpen, CircleCheck, Eye, type LucideIcon, OctagonAlert } from 'lucide-react'
import type { Guide, State } from '#contract/status/status.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { Pill, type Tone } from '#web/ui/pill.tsx'

const DOCS = 'https://github.com/muster/muster/blob/main/docs/operating.md'

const STATES: Readonly<Record<State, { name: string; icon: LucideIcon; tone: Tone; colour: string; tint: string; border: string }>> = {
  fine: { name: m.installation_state_fine(), icon: CircleCheck, tone: 'ok', colour: 'text-ok', tint: '', border: '' },
  watch: { name: m.installation_state_watch(), icon: Eye, tone: 'warn', colour: 'text-warn', tint: 'tint-warn', border: 'border-warn' },
  act: {
    name: m.installation_state_act(),
    icon: OctagonAlert,
    tone: 'danger',
    colour: 'text-danger',
    tint: 'tint-danger',
    border: 'border-danger',
  },
}

export const borderOf = (state: State) => STATES[state].border

export function StateIcon({ state, size = 16 }: { state: State; size?: number }) {
  const { name, icon: Icon, colour } = STATES[state]
  return (
    <span className={cx('flex shrink-0', colour)}>
      <Icon size={size} aria-hidden="true" />
      <span className="sr-only">{name}</span>
    </span>
  )
}

export function StatePill({ state }: { state: State }) {
  const { name, icon, tone } = STATES[state]
  return (
    <Pill tone={tone} icon={icon}>
      {name}
    </Pill>
  )
}

export interface Finding {
  readonly state: State
  readonly advice: string | null
  readonly guide: Guide
}

/** The anchor that GitHub gives a heading. */
const docsUrl = (guide: Guide) => `${DOCS}#${guide.toLowerCase().replaceAll(' ', '-')}`

export function DocsIcon({ guide }: { guide: Guide }) {
  const label = m.installation_docs({ section: guide })
  return (
    <a
      href={docsUrl(guide)}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      data-tip={label}
      className="-m-1.5 flex size-8 shrink-0 items-center justify-center rounded-6 text-ink-3 transition-colors duration-100 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:-m-3 pointer-coarse:size-11"
    >
      <BookOpen size={15} aria-hidden="true" />
    </a>
  )
}

/** Nothing if all is fine. */
export function Advice({ finding: { state, advice, guide }, className }: { finding: Finding; className?: string }) {
  if (advice === null) return null
  return (
    <p className={cx('rounded-6 px-3 py-2 text-13 text-pretty text-ink-1', STATES[state].tint, className)}>
      {advice}{' '}
      <a href={docsUrl(guide)} target="_blank" rel="noreferrer" className="inline-link">
        {m.installation_docs({ section: guide })}
      </a>
    </p>
  )
}
