import { RotateCw } from 'lucide-react'
import { TEST_EVENT_TYPE } from '#contract/events/public-events.ts'
import type { Delivery, Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { DeliveryStatus } from '#web/features/webhooks/webhook-parts.tsx'
import { useRetryDelivery } from '#web/features/webhooks/webhooks.api.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { exactTime } from '#web/lib/time.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button, CopyButton } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { ErrorNote } from '#web/ui/states.tsx'
import { CopiedFact, Fact, Facts, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { attemptDurationText, eventTitle, prettyText, serverName } from './delivery-texts.ts'

interface DeliveryPanelProps {
  webhook: Webhook
  id: string
  /** Undefined if the log has no such delivery. */
  delivery: Delivery | undefined
  onClose: () => void
}

export function DeliveryPanel({ webhook, id, delivery, onClose }: DeliveryPanelProps) {
  useMissingRow(delivery === undefined, m.webhooks_delivery_missing(), onClose)
  if (delivery === undefined) return null
  return (
    <SidePanel id={id} title={eventTitle(delivery.event_type)} onClose={onClose}>
      <DeliveryFacts delivery={delivery} />
      {delivery.error !== null && <p className="mt-4 rounded-6 tint-danger px-3 py-2.5 text-13 text-danger">{delivery.error}</p>}
      {delivery.event_type !== TEST_EVENT_TYPE && <RetryAction key={id} webhook={webhook} delivery={delivery} />}
      <h3 className="mt-6 mb-2 font-medium">{m.webhooks_delivery_response()}</h3>
      {delivery.response === null ? (
        <p className="text-13 text-ink-2">{m.webhooks_delivery_no_response()}</p>
      ) : (
        <>
          <p className="mb-2 text-13 text-ink-2 tabular-nums">{m.webhooks_delivery_status({ status: delivery.response.status })}</p>
          {delivery.response.body === '' ? (
            <p className="text-13 text-ink-3">{m.webhooks_delivery_empty_body()}</p>
          ) : (
            <CodeBlock label={m.webhooks_response_body()} text={prettyText(delivery.response.body)} language="javascript" />
          )}
        </>
      )}
      <h3 className="mt-6 mb-2 font-medium">{m.webhooks_delivery_request()}</h3>
      <dl className="mb-3 space-y-1 font-mono text-12 empty:hidden">
        {Object.entries(delivery.request.headers).map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="text-ink-3">{name}:</dt>
            <dd className="min-w-0 break-all">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex items-start gap-1">
        <CodeBlock label={m.webhooks_request_body()} text={prettyText(delivery.request.body)} language="javascript" />
        <CopyButton text={prettyText(delivery.request.body)} label={m.webhooks_request_body_copy()} />
      </div>
    </SidePanel>
  )
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { attempt, created_at, attempted_at, duration_ms, event_id, event_type } = delivery
  const server = serverName(delivery)
  return (
    <Facts>
      <Fact label={m.common_status()}>
        <DeliveryStatus delivery={delivery} />
      </Fact>
      {server !== undefined && <Fact label={m.webhooks_log_server()}>{server}</Fact>}
      <Fact label={m.webhooks_delivery_type()}>
        <code className="font-mono">{event_type}</code>
      </Fact>
      <Fact label={m.webhooks_delivery_created()}>{exactTime(created_at)}</Fact>
      {attempted_at !== null && <Fact label={m.webhooks_delivery_attempted()}>{exactTime(attempted_at)}</Fact>}
      <Fact label={m.webhooks_delivery_attempts()}>{attempt}</Fact>
      {duration_ms !== null && <Fact label={m.webhooks_log_duration()}>{attemptDurationText(duration_ms)}</Fact>}
      <CopiedFact label={m.webhooks_delivery_event_id()} text={event_id} copyNoun={m.webhooks_delivery_event_id_noun()} />
    </Facts>
  )
}

/** A retry needs an enabled webhook. A test is never retried. */
function RetryAction({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const retry = useRetryDelivery(webhook.id)
  const send = useSingleFlight(async () => {
    await retry.mutateAsync(delivery.id)
    toastSuccess(m.webhooks_retry_started())
  })
  return (
    <div className="mt-4">
      <Button icon={<RotateCw size={15} aria-hidden="true" />} busy={retry.isPending} disabled={!webhook.enabled} onClick={send}>
        {delivery.state === 'succeeded' ? m.webhooks_send_again() : m.webhooks_retry()}
      </Button>
      {!webhook.enabled && <p className="mt-2 text-13 text-ink-2">{m.webhooks_retry_disabled()}</p>}
      {retry.error && <ErrorNote className="mt-3">{messageOf(retry.error)}</ErrorNote>}
    </div>
  )
}
