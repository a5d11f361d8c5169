import { Ban, CircleCheck, CircleDashed, CircleX, EyeOff, type LucideIcon } from 'lucide-react'
import type { Server } from '#contract/servers.ts'
import { lasting, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { type StatusKey, statusOf, type Tone } from './status.ts'

const ICONS: Record<StatusKey, LucideIcon> = {
  online: CircleCheck,
  unlisted: EyeOff,
  offline: CircleX,
  never_seen: CircleDashed,
  banned: Ban,
}

const PILL: Record<Tone, string> = {
  ok: 'tint-ok text-ok',
  warn: 'tint-warn text-warn',
  danger: 'tint-danger text-danger',
  neutral: 'bg-surface-2 text-ink-2',
}

const DOT: Record<Tone, string> = { ok: 'bg-ok', warn: 'bg-warn', danger: 'bg-danger', neutral: 'bg-line-strong' }

/** Icon, word and how long; the reason is its tooltip. */
export function StatusPill({ server }: { server: Server }) {
  const status = statusOf(server)
  const now = useNow()
  const Icon = ICONS[status.key]
  return (
    <span
      data-tip={status.reason || undefined}
      data-status={status.key}
      className={cx(
        'inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap',
        PILL[status.tone],
      )}
    >
      <Icon size={13} aria-hidden="true" />
      {status.word}
      {status.since !== null && <span className="font-normal tabular-nums">{lasting(status.since, now)}</span>}
    </span>
  )
}

/** The smallest form, for the navigation: a dot with the word beside it for screen readers. */
export function StatusDot({ server }: { server: Server }) {
  const { tone, word } = statusOf(server)
  return (
    <span className="inline-flex size-4 shrink-0 items-center justify-center">
      <span className={cx('size-2 rounded-full', DOT[tone])} />
      <span className="sr-only">{word}</span>
    </span>
  )
}
