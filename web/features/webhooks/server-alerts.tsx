import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import type { Server } from '#contract/servers/servers.ts'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryPending, Skeleton } from '#web/ui/states.tsx'
import { coversServer, KindTile, LastDelivery } from './webhook-parts.tsx'
import { webhooksOptions } from './webhooks.api.ts'

/** The webhooks that receive events of the server. For its owner. */
export function ServerAlerts({ server: { public_id: id } }: { server: Server }) {
  const query = useQuery({ ...webhooksOptions, retryOnMount: true })
  const covering = query.data?.filter((webhook) => coversServer(webhook, id)) ?? []
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          <Bell size={16} className="text-ink-3" aria-hidden="true" />
          {m.webhooks_alerts()}
        </span>
      }
      aside={
        <Link to="/settings/webhooks/new" search={{ server: id }} className={buttonClass()}>
          {m.webhooks_alerts_add()}
        </Link>
      }
    >
      {query.data === undefined ? (
        <QueryPending query={query} className="mt-3">
          <Skeleton className="mt-2 h-10" />
        </QueryPending>
      ) : covering.length === 0 ? (
        <p className="mt-2 min-h-10 text-13 text-pretty text-ink-2">{m.webhooks_alerts_none()}</p>
      ) : (
        <ul className="mt-2">
          {covering.map((webhook) => (
            <AlertRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function AlertRow({ webhook: { id, name, kind, enabled, last_delivery: delivery } }: { webhook: Webhook }) {
  return (
    <li className="relative flex items-center gap-3 py-2">
      <KindTile kind={kind} className="size-8" />
      <div className="min-w-0 flex-1">
        <Link
          to="/settings/webhooks/$webhook_id"
          params={{ webhook_id: id }}
          search={{ tab: 'deliveries' }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        <div className="text-12">
          {enabled ? <LastDelivery delivery={delivery} /> : <span className="text-ink-3">{m.webhooks_disabled()}</span>}
        </div>
      </div>
    </li>
  )
}
