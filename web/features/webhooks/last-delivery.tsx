import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { TimeAgo } from '#web/ui/time-ago.tsx'

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300

/** `Delivered, 2 min. ago`. */
export function LastDelivery({ delivery }: { delivery: Webhook['last_delivery'] }) {
  if (delivery === null) {
    return (
      <span className="inline-flex items-center gap-1.5 text-ink-3">
        <CircleDashed size={14} aria-hidden="true" />
        {m.webhooks_last_none()}
      </span>
    )
  }
  const { at, status } = delivery
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {isSuccess(status) ? (
        <span className="inline-flex items-center gap-1.5 text-ok">
          <CircleCheck size={14} aria-hidden="true" />
          {m.webhooks_state_succeeded()}
        </span>
      ) : (
        <span className="inline-flex items-center gap-1.5 text-danger">
          <CircleX size={14} aria-hidden="true" />
          {status === null ? m.webhooks_state_no_reply() : m.webhooks_state_failed_status({ status })}
        </span>
      )}
      <span className="text-ink-3">
        <TimeAgo at={at} />
      </span>
    </span>
  )
}
