import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './class-names.ts'

export type Tone = 'ok' | 'info' | 'warn' | 'danger' | 'neutral'

const TINTS: Readonly<Record<Tone, string>> = {
  ok: 'tint-ok text-ok',
  info: 'tint-info text-info',
  warn: 'tint-warn text-warn',
  danger: 'tint-danger text-danger',
  neutral: 'bg-surface-2 text-ink-2',
}

interface PillProps extends ComponentProps<'span'> {
  tone: Tone
  icon: LucideIcon
}

/** A state as an icon and a word. */
export function Pill({ tone, icon: Icon, className, children, ...rest }: PillProps) {
  return (
    <span
      {...rest}
      className={cx(
        'inline-flex min-h-6 shrink-0 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap',
        TINTS[tone],
        className,
      )}
    >
      <Icon size={13} aria-hidden="true" />
      {children}
    </span>
  )
}
