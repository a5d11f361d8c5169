import { Send, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { MutationDialog } from '#web/ui/dialog/mutation-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { Switch } from '#web/ui/switch.tsx'
import { EnableAgain, useEnable } from './enable-again.tsx'
import { LastDelivery } from './last-delivery.tsx'
import { KindTile } from './webhook-kind.tsx'
import { useChangeWebhook } from './webhook-mutations.ts'
import { hostOf } from './webhook-texts.ts'

interface WebhookHeaderProps {
  webhook: Webhook
  isTesting: boolean
  onTest: () => void
}

export function WebhookHeader({ webhook, isTesting, onTest }: WebhookHeaderProps) {
  const { name, kind, url, enabled, disabled_reason: reason } = webhook
  return (
    <header className="mb-5">
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
          <Button icon={<Send size={15} aria-hidden="true" />} busy={isTesting} onClick={onTest}>
            {m.webhooks_test()}
          </Button>
        </div>
      </div>
      {!enabled && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-6 tint-warn px-3 py-2.5">
          <p className="flex min-w-0 flex-1 basis-64 gap-2.5 text-13">
            <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
            {reason ?? m.webhooks_disabled_hint()}
          </p>
          <EnableAgain webhook={webhook} />
        </div>
      )}
    </header>
  )
}

/** Disabling drops pending deliveries, so it needs confirmation. */
function EnabledSwitch({ webhook: { id, name, enabled } }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false)
  const { enable, isPending } = useEnable(id, name)
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
