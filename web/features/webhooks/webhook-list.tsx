import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleCheck, CirclePause, CircleX, Plus } from 'lucide-react'
import { PUBLIC_EVENT_TYPES, PUBLIC_EVENTS } from '#contract/events/public-events.ts'
import type { Server } from '#contract/servers/servers.ts'
import { type Webhook, WEBHOOK_LIMITS } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { CardCount, ListCard } from '#web/ui/card.tsx'
import { counted } from '#web/ui/count-text.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { EnableAgain, hostOf, KindTile, LastDelivery, serversText } from './webhook-parts.tsx'

export function WebhookList({ webhooks, servers }: { webhooks: readonly Webhook[]; servers: readonly Server[] }) {
  const isFull = webhooks.length >= WEBHOOK_LIMITS.perAccount
  if (webhooks.length === 0) return <NoWebhooks server={servers[0]?.name ?? m.webhooks_sample_server_name()} />
  return (
    <ListCard
      title={m.nav_webhooks()}
      description={isFull ? m.webhooks_list_full() : m.webhooks_list_hint()}
      aside={
        <>
          <CardCount>{m.webhooks_count({ count: webhooks.length, max: WEBHOOK_LIMITS.perAccount })}</CardCount>
          {!isFull && <NewWebhookLink />}
        </>
      }
    >
      <ul className="divide-y divide-line">
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} servers={servers} />
        ))}
      </ul>
    </ListCard>
  )
}

function NewWebhookLink() {
  return (
    <Link to="/settings/webhooks/new" className={buttonClass('primary')}>
      <Plus size={16} aria-hidden="true" />
      {m.webhooks_new()}
    </Link>
  )
}

function NoWebhooks({ server }: { server: string }) {
  return (
    <div className="rounded-10 border border-dashed border-line p-5 sm:p-8">
      <div className="mx-auto max-w-lg">
        <DiscordSample server={server} />
        <h2 className="mt-6 text-16 font-semibold">{m.webhooks_empty_title()}</h2>
        <p className="mt-1 mb-5 text-pretty text-ink-2">{m.webhooks_empty_hint()}</p>
        <NewWebhookLink />
      </div>
    </div>
  )
}

/** What an alert looks like in Discord. */
function DiscordSample({ server }: { server: string }) {
  const { title, description } = PUBLIC_EVENTS['server.offline']
  return (
    <figure>
      <figcaption className="mb-2 text-12 text-ink-3">{m.webhooks_sample_caption()}</figcaption>
      <div className="flex gap-3 rounded-10 border border-line bg-surface-1 p-4 text-left">
        <BrandMark size={40} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{brand.name}</span>
            <span className="rounded-6 bg-accent px-1.5 text-12 font-medium text-on-accent">{m.webhooks_sample_app()}</span>
            <span className="text-12 text-ink-3">{m.webhooks_sample_time()}</span>
          </p>
          <div className="mt-1.5 max-w-md rounded-6 border-l-4 border-danger bg-surface-2 px-3.5 py-3 text-13">
            <p className="font-semibold text-accent">{title()}</p>
            <p className="mt-1 text-ink-2">{description()}</p>
            <p className="mt-3 text-12 font-semibold">{m.webhooks_log_server()}</p>
            <p className="[overflow-wrap:anywhere]">{server}</p>
          </div>
        </div>
      </div>
    </figure>
  )
}

const PILLS = {
  enabled: { tone: 'ok', icon: CircleCheck },
  disabled: { tone: 'neutral', icon: CirclePause },
  failed: { tone: 'danger', icon: CircleX },
} as const

/** The name's link covers the row. */
function WebhookRow({ webhook, servers }: { webhook: Webhook; servers: readonly Server[] }) {
  const { id, name, kind, url, events, enabled, disabled_reason: reason } = webhook
  const eventsText = events.length === PUBLIC_EVENT_TYPES.length ? m.webhooks_all_events() : m.webhooks_count_events(counted(events.length))
  return (
    <li className="relative flex gap-3 px-4 py-4 transition-colors duration-100 hover:bg-surface-2/50 sm:px-5">
      <KindTile kind={kind} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link
              to="/settings/webhooks/$webhook_id"
              params={{ webhook_id: id }}
              className="min-w-0 font-medium [overflow-wrap:anywhere] after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {name}
            </Link>
            <Pill {...PILLS[enabled ? 'enabled' : reason === null ? 'disabled' : 'failed']}>
              {enabled ? m.webhooks_enabled() : m.webhooks_disabled()}
            </Pill>
          </div>
          <p className="mt-0.5 text-13 [overflow-wrap:anywhere] text-ink-2">
            {m.webhooks_row_facts({ host: hostOf(url), events: eventsText, servers: serversText(webhook, servers) })}
          </p>
          {reason === null ? (
            <div className="mt-1 text-13">
              <LastDelivery delivery={webhook.last_delivery} />
            </div>
          ) : (
            <p className="mt-1 text-13 text-pretty text-danger">{reason}</p>
          )}
        </div>
        {!enabled && (
          <div className="relative z-1">
            <EnableAgain webhook={webhook} />
          </div>
        )}
      </div>
      <ChevronRight size={18} className="shrink-0 self-center text-ink-3" aria-hidden="true" />
    </li>
  )
}
