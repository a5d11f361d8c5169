import { Ban, CircleCheck, CircleDashed, CircleX, EyeOff, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { durationText, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { type StatusKey, statusOf, type Tone } from './status.ts'

const ICONS: Record<StatusKey, LucideIcon> = {
  online: CircleCheck,
  unlisted: EyeOff,
  offline: CircleX,
  never_seen: CircleDashed,
  banned: Ban,
}

const TONES: Record<Tone, { pill: string; dot: string }> = {
  ok: { pill: 'tint-ok text-ok', dot: 'text-ok' },
  warn: { pill: 'tint-warn text-warn', dot: 'text-warn' },
  danger: { pill: 'tint-danger text-danger', dot: 'text-danger' },
  neutral: { pill: 'bg-surface-2 text-ink-2', dot: 'text-ink-3' },
}

const SHAPES: Record<StatusKey, ReactNode> = {
  online: <circle cx="5" cy="5" r="4.5" fill="currentColor" stroke="none" />,
  unlisted: (
    <>
      <circle cx="5" cy="5" r="4" />
      <path d="M5 1a4 4 0 0 0 0 8z" fill="currentColor" stroke="none" />
    </>
  ),
  offline: <circle cx="5" cy="5" r="3.75" strokeWidth="2" />,
  never_seen: <circle cx="5" cy="5" r="4" strokeDasharray="2.1 2.09" />,
  banned: <path d="m1.5 1.5 7 7m0-7-7 7" strokeWidth="2" strokeLinecap="round" />,
}

export function StatusPill({ server, className }: { server: Server; className?: string | undefined }) {
  const status = statusOf(server)
  const now = useNow()
  const Icon = ICONS[status.key]
  return (
    <span
      data-tip={status.reason || undefined}
      data-status={status.key}
      className={cx(
        'inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap',
        TONES[status.tone].pill,
        className,
      )}
    >
      <Icon size={13} aria-hidden="true" />
      {status.label}
      {status.since !== null && <span className="font-normal tabular-nums">{durationText(status.since, now)}</span>}
    </span>
  )
}

export function StatusDot({ server, className }: { server: Server; className: string }) {
  const { key, tone, label } = statusOf(server)
  return (
    <span className={cx('inline-flex shrink-0 items-center justify-center', className)}>
      <svg
        viewBox="0 0 10 10"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        className={cx('size-2.5', TONES[tone].dot)}
        aria-hidden="true"
      >
        {SHAPES[key]}
      </svg>
      <span className="sr-only">{label}</span>
    </span>
  )
}
