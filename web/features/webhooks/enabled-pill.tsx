import { CircleCheck, CirclePause, CircleX } from 'lucide-react'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'

export function EnabledPill({ webhook: { enabled, disabled_reason: reason } }: { webhook: Webhook }) {
  const Icon = enabled ? CircleCheck : reason === null ? CirclePause : CircleX
  return (
    <span
      className={cx(
        'inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap',
        enabled ? 'tint-ok text-ok' : reason === null ? 'bg-surface-2 text-ink-2' : 'tint-danger text-danger',
      )}
    >
      <Icon size={13} aria-hidden="true" />
      {enabled ? m.webhooks_enabled() : m.webhooks_disabled()}
    </span>
  )
}
