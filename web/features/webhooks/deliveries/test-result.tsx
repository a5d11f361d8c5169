import { CircleCheck, CircleX, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { useSendTest } from '#web/features/webhooks/webhook-mutations.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { durationText, prettyText } from './delivery-texts.ts'

interface TestResultProps {
  delivery: Delivery | undefined
  /** Why there is no delivery. */
  error: Error | null
  onClose: () => void
}

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

function TestResult({ delivery, error, onClose }: TestResultProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isOk = delivery?.state === 'succeeded'
  const Icon = isOk ? CircleCheck : CircleX
  const body = delivery?.response?.body ?? ''
  return (
    <div ref={box} className={cx('rounded-10 border bg-surface-1 p-4', isOk ? 'border-ok' : 'border-danger')}>
      <div className="flex items-start gap-2.5">
        <Icon size={18} className={cx('mt-px shrink-0', isOk ? 'text-ok' : 'text-danger')} aria-hidden="true" />
        <div role="status" className="min-w-0 flex-1">
          <p className="font-medium">
            {delivery === undefined ? m.webhooks_test_not_sent() : isOk ? m.webhooks_test_ok() : m.webhooks_test_failed()}
          </p>
          <p className="text-13 [overflow-wrap:anywhere] text-ink-2">
            {delivery === undefined ? error && messageOf(error) : replyText(delivery)}
          </p>
        </div>
        <IconButton label={m.common_close()} onClick={onClose} className="-mt-1 -mr-1">
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {body !== '' && (
        <div className="mt-3">
          <CodeBlock label={m.webhooks_response_body()} text={prettyText(body)} language="javascript" />
        </div>
      )}
    </div>
  )
}

/** `Status 204 in 120 ms.` The error of a status above 400 only repeats it. */
function replyText({ response, duration_ms: ms, error }: Delivery): string {
  const time = durationText(ms ?? 0)
  const reply = response === null ? m.webhooks_test_no_reply({ time }) : m.webhooks_test_reply({ status: response.status, time })
  return error === null || (response !== null && response.status >= 400) ? reply : `${error} ${reply}`
}
