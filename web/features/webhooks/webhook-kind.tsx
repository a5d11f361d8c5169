import { Webhook as WebhookIcon } from 'lucide-react'
import type { WebhookKind } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'

export const KIND_NAMES: Readonly<Record<WebhookKind, string>> = {
  discord: m.webhooks_kind_discord(),
  standard: m.webhooks_kind_standard(),
}

/** The icon names the kind for screen readers. */
export function KindTile({ kind, className }: { kind: WebhookKind; className?: string }) {
  return (
    <span
      role="img"
      aria-label={KIND_NAMES[kind]}
      className={cx(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-6 border border-line bg-surface-2 text-ink-2',
        className,
      )}
    >
      <KindIcon kind={kind} />
    </span>
  )
}

export function KindIcon({ kind, size = 18 }: { kind: WebhookKind; size?: number }) {
  return kind === 'discord' ? <DiscordIcon size={size} /> : <WebhookIcon size={size} aria-hidden="true" />
}

function DiscordIcon({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="currentColor" aria-hidden="true">
      <path d="M20.3 4.4A19.8 19.8 0 0 0 15.4 2.9a.1.1 0 0 0-.1 0c-.2.4-.5.9-.6 1.3a18.3 18.3 0 0 0-5.5 0 12.6 12.6 0 0 0-.6-1.3.1.1 0 0 0-.1 0 19.7 19.7 0 0 0-4.9 1.5C.5 9-.3 13.6.1 18.1c0 0 0 .1.1.1a19.9 19.9 0 0 0 6 3 .1.1 0 0 0 .1 0c.5-.6.9-1.3 1.2-2a.1.1 0 0 0 0-.1 13.1 13.1 0 0 1-1.9-.9.1.1 0 0 1 0-.1l.4-.3h.1a14.2 14.2 0 0 0 12.1 0h.1l.4.3v.1c-.6.4-1.2.7-1.9.9v.1c.4.7.8 1.4 1.2 2a.1.1 0 0 0 .1 0 19.8 19.8 0 0 0 6-3 .1.1 0 0 0 .1-.1c.5-5.2-.8-9.7-3.6-13.7ZM8 15.3c-1.2 0-2.2-1.1-2.2-2.4s1-2.4 2.2-2.4 2.2 1.1 2.2 2.4-1 2.4-2.2 2.4Zm8 0c-1.2 0-2.2-1.1-2.2-2.4s1-2.4 2.2-2.4 2.2 1.1 2.2 2.4-1 2.4-2.2 2.4Z" />
    </svg>
  )
}
