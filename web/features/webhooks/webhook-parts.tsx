/** What a webhook is and how it does, in lists and headers. */
import { CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon, RotateCw, Webhook as WebhookIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import type { Delivery, Webhook, WebhookKind } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { detailsOf, messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { DiscordMark } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { counted } from '#web/ui/count-text.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { useChangeWebhook } from './webhooks.api.ts'

export const KIND_NAMES: Readonly<Record<WebhookKind, string>> = {
  discord: m.webhooks_kind_discord(),
  standard: m.webhooks_kind_standard(),
}

/** The icon names the kind for screen readers. */
export function KindTile({ kind, className = 'size-9' }: { kind: WebhookKind; className?: string }) {
  return (
    <span
      role="img"
      aria-label={KIND_NAMES[kind]}
      className={cx('inline-flex shrink-0 items-center justify-center rounded-6 border border-line bg-surface-2 text-ink-2', className)}
    >
      <KindIcon kind={kind} />
    </span>
  )
}

export function KindIcon({ kind, size = 18 }: { kind: WebhookKind; size?: number }) {
  return kind === 'standard' ? <WebhookIcon size={size} aria-hidden="true" /> : <DiscordMark size={size} />
}

/** An icon and a word, then a fact. */
export function Status({ icon: Icon, tone, word, children }: { icon: LucideIcon; tone: string; word: string; children?: ReactNode }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${tone}`}>
        <Icon size={14} aria-hidden="true" />
        {word}
      </span>
      {children !== undefined && <span className="whitespace-nowrap text-ink-3 tabular-nums">{children}</span>}
    </span>
  )
}

const STATES = {
  pending: { icon: Clock, tone: 'text-ink-2', word: m.webhooks_state_pending() },
  retrying: { icon: RotateCw, tone: 'text-warn', word: m.webhooks_state_retrying() },
  succeeded: { icon: CircleCheck, tone: 'text-ok', word: m.webhooks_state_succeeded() },
  failed: { icon: CircleX, tone: 'text-danger', word: m.webhooks_state_failed() },
} as const

/** The state, then the HTTP status or the time of the next attempt. */
export function DeliveryStatus({ delivery: { state, attempt, next_attempt_at: next, response } }: { delivery: Delivery }) {
  if (state === 'pending' && attempt > 0) return <Status {...STATES.retrying}>{next !== null && <TimeAgo at={next} />}</Status>
  return <Status {...STATES[state]}>{response?.status ?? (state === 'failed' ? m.webhooks_state_no_reply() : undefined)}</Status>
}

/** `Delivered, 2 min. ago`. */
export function LastDelivery({ delivery }: { delivery: Webhook['last_delivery'] }) {
  if (delivery === null) return <Status icon={CircleDashed} tone="text-ink-3" word={m.webhooks_last_none()} />
  const { at, status } = delivery
  const isOk = status !== null && status >= 200 && status < 300
  const failure = status === null ? m.webhooks_state_no_reply() : m.webhooks_state_failed_status({ status })
  return (
    <Status
      icon={isOk ? CircleCheck : CircleX}
      tone={isOk ? 'text-ok' : 'text-danger'}
      word={isOk ? m.webhooks_state_succeeded() : failure}
    >
      <TimeAgo at={at} />
    </Status>
  )
}

/** Its accessible name has the webhook's name, because a list has several of these. */
export function EnableAgain({ webhook }: { webhook: Webhook }) {
  const { enable, isPending } = useEnable(webhook)
  return (
    <Button busy={isPending} aria-label={m.webhooks_enable_named({ webhook: webhook.name })} onClick={enable}>
      {m.webhooks_enable_again()}
    </Button>
  )
}

export function useEnable({ id, name }: Webhook) {
  const change = useChangeWebhook(id)
  const enable = useSingleFlight(async () => {
    try {
      await change.mutateAsync({ enabled: true })
      toastSuccess(m.webhooks_enabled_toast(), name)
    } catch (error) {
      toastError(m.webhooks_enable_failed({ webhook: name }), messageOf(error), detailsOf(error))
    }
  })
  return { enable, isPending: change.isPending }
}

/** `discord.com`. The rest of a URL may be a secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

export function coversServer({ server_ids: ids }: Pick<Webhook, 'server_ids'>, publicId: string): boolean {
  return ids.length === 0 || ids.includes(publicId)
}

/** `All servers`, the name of the only one, or `3 servers`. */
export function serversText({ server_ids: ids }: Webhook, owned: readonly Server[]): string {
  if (ids.length === 0) return m.webhooks_all_servers()
  const only = ids.length === 1 ? owned.find(({ public_id }) => public_id === ids[0]) : undefined
  return only?.name ?? m.count_servers(counted(ids.length))
}
