import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { MutationDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { WarnNote } from '#web/ui/states.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { Switch } from '#web/ui/switch.tsx'
import { useWebhookTest } from './deliveries/test-result.tsx'
import { useChangeWebhook } from './webhooks.api.ts'
import { EnableAgain, hostOf, KindTile, LastDelivery, useEnable } from './webhook-parts.tsx'

/** What it is and does, with a test. */
export function WebhookHeader({ webhook }: { webhook: Webhook }) {
  const test = useWebhookTest(webhook.id)
  const { name, kind, url, enabled, disabled_reason: reason } = webhook
  return (
    <header className="mb-5 space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 items-center gap-3">
          <KindTile kind={kind} className="size-10" />
          <div className="min-w-0">
            <h2 className="text-16 font-semibold [overflow-wrap:anywhere]">{name}</h2>
            <p className="flex flex-wrap gap-x-2 text-13 text-ink-2">
              <span className="[overflow-wrap:anywhere]">{hostOf(url)}</span>
              <LastDelivery delivery={webhook.last_delivery} />
            </p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-4">
          <EnabledSwitch webhook={webhook} />
          <Button icon={<Send size={15} aria-hidden="true" />} busy={test.isPending} onClick={test.send}>
            {m.webhooks_test()}
          </Button>
        </div>
      </div>
      {!enabled && (
        <WarnNote>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {reason ?? m.webhooks_disabled_hint()}
            <EnableAgain webhook={webhook} />
          </div>
        </WarnNote>
      )}
      {test.result}
    </header>
  )
}

/** Disabling drops pending deliveries, so it needs confirmation. */
function EnabledSwitch({ webhook }: { webhook: Webhook }) {
  const { id, name, enabled } = webhook
  const [isAsking, setAsking] = useState(false)
  const { enable, isPending } = useEnable(webhook)
  const change = useChangeWebhook(id)
  return (
    <>
      <label className="inline-flex min-h-9 cursor-pointer items-center gap-2 text-13">
        <Switch checked={enabled} disabled={isPending} onChange={() => (enabled ? setAsking(true) : enable())} />
        {m.webhooks_enabled()}
      </label>
      {isAsking && (
        <MutationDialog
          title={m.webhooks_disable_title({ webhook: name })}
          confirm={m.webhooks_disable()}
          mutation={change}
          onConfirm={async () => {
            await change.mutateAsync({ enabled: false })
            toastSuccess(m.webhooks_disabled_toast(), name)
            setAsking(false)
          }}
          onClose={() => {
            change.reset()
            setAsking(false)
          }}
        >
          <p>{m.webhooks_disable_hint()}</p>
        </MutationDialog>
      )}
    </>
  )
}
