import { CircleCheck, CircleX, Clock, type LucideIcon, RotateCw } from 'lucide-react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** An icon and a word, then the HTTP status or the time of the next attempt. */
export function DeliveryStatus({ delivery }: { delivery: Delivery }) {
  const { state, attempt, next_attempt_at: next, response } = delivery
  if (state === 'pending' && attempt > 0) {
    return (
      <Status icon={RotateCw} tone="text-warn" word={m.webhooks_state_retrying()}>
        {next !== null && <TimeAgo at={next} />}
      </Status>
    )
  }
  if (state === 'pending') return <Status icon={Clock} tone="text-ink-2" word={m.webhooks_state_pending()} />
  const isOk = state === 'succeeded'
  return (
    <Status
      icon={isOk ? CircleCheck : CircleX}
      tone={isOk ? 'text-ok' : 'text-danger'}
      word={isOk ? m.webhooks_state_succeeded() : m.webhooks_state_failed()}
    >
      {response?.status ?? (!isOk && m.webhooks_state_no_reply())}
    </Status>
  )
}

interface StatusProps {
  icon: LucideIcon
  tone: string
  word: string
  children?: React.ReactNode
}

function Status({ icon: Icon, tone, word, children }: StatusProps) {
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
