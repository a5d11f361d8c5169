import { CircleCheck, CircleX, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { useSendTest } from '#web/features/webhooks/webhooks.api.ts'
import { Status } from '#web/features/webhooks/webhook-parts.tsx'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { IconButton } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { attemptDurationText, prettyText } from './delivery-texts.ts'

/** A test of the webhook, and what the receiver answered to it. */
export function useWebhookTest(id: string) {
  const { mutateAsync, isPending, data, error, submittedAt, reset } = useSendTest(id)
  return {
    // The result shows the error.
    send: useSingleFlight(() => mutateAsync()),
    isPending,
    result: (data !== undefined || error !== null) && <TestResult key={submittedAt} delivery={data} error={error} onClose={reset} />,
  }
}

/** @param error why there is no delivery */
function TestResult({ delivery, error, onClose }: { delivery: Delivery | undefined; error: Error | null; onClose: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isOk = delivery?.state === 'succeeded'
  const body = delivery?.response?.body ?? ''
  const title = isOk ? m.webhooks_test_ok() : delivery ? m.webhooks_test_failed() : m.webhooks_test_not_sent()
  return (
    <div ref={box} className="card space-y-3 p-4">
      <div className="flex items-start justify-between gap-2.5">
        <div role="status" className="min-w-0 [overflow-wrap:anywhere]">
          <Status icon={isOk ? CircleCheck : CircleX} tone={isOk ? 'text-ok' : 'text-danger'} word={title} />
          <p className="mt-0.5 text-13 text-ink-2">{delivery ? replyText(delivery) : error?.message}</p>
        </div>
        <IconButton label={m.common_close()} onClick={onClose} className="-mt-1 -mr-1">
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {body !== '' && <CodeBlock label={m.webhooks_response_body()} text={prettyText(body)} language="javascript" />}
    </div>
  )
}

/** `Status 204 in 120 ms.` The error of a status above 400 only repeats it. */
function replyText({ response, duration_ms: ms, error }: Delivery): string {
  const time = attemptDurationText(ms ?? 0)
  const reply = response === null ? m.webhooks_test_no_reply({ time }) : m.webhooks_test_reply({ status: response.status, time })
  return error === null || (response !== null && response.status >= 400) ? reply : `${error} ${reply}`
}
