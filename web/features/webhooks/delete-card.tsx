import { useState } from 'react'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { MutationDialog } from '#web/ui/dialog/mutation-dialog.tsx'
import { useDeleteWebhook } from './webhook-mutations.ts'

export function DeleteCard({ webhook: { id, name }, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useDeleteWebhook(id)
  return (
    <section aria-labelledby="delete-webhook" className="card flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="delete-webhook" className="font-medium">
          {m.webhooks_delete()}
        </h2>
        <p className="mt-0.5 text-13 text-pretty text-ink-2">{m.webhooks_delete_hint()}</p>
      </div>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {m.webhooks_delete_ask()}
      </Button>
      {isAsking && (
        <MutationDialog
          title={m.webhooks_delete_title({ webhook: name })}
          confirm={m.webhooks_delete()}
          danger
          mutation={remove}
          onConfirm={async () => {
            await remove.mutateAsync()
            onDeleted()
          }}
          onClose={() => setAsking(false)}
        >
          <p>{m.webhooks_delete_confirm()}</p>
        </MutationDialog>
      )}
    </section>
  )
}
