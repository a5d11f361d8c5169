import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { detailsOf, messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { useChangeWebhook } from './webhook-mutations.ts'

/** Its accessible name has the webhook's name, because a list has several of these. */
export function EnableAgain({ webhook: { id, name } }: { webhook: Webhook }) {
  const { enable, isPending } = useEnable(id, name)
  return (
    <Button busy={isPending} aria-label={m.webhooks_enable_named({ webhook: name })} onClick={enable}>
      {m.webhooks_enable_again()}
    </Button>
  )
}

export function useEnable(id: string, name: string) {
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
