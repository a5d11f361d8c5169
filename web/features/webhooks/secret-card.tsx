import { useState } from 'react'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MutationDialog } from '#web/ui/dialog/mutation-dialog.tsx'
import { SecretPanel, VerifyHelp } from './secret-panel.tsx'
import { useRotateSecret } from './webhook-mutations.ts'

/** The new secret is only in this component's state. */
export function SecretCard({ webhook: { id, name } }: { webhook: Webhook }) {
  const [secret, setSecret] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const rotate = useRotateSecret(id)
  return (
    <Card title={m.webhooks_secret_title()} description={secret === undefined ? m.webhooks_secret_hint() : m.webhooks_secret_both()}>
      {secret === undefined ? (
        <div className="flex flex-col items-start gap-4">
          <Button onClick={() => setAsking(true)}>{m.webhooks_secret_rotate_ask()}</Button>
          <VerifyHelp />
        </div>
      ) : (
        <>
          <SecretPanel secret={secret} />
          <Button variant="primary" className="mt-5" onClick={() => setSecret(undefined)}>
            {m.webhooks_secret_stored()}
          </Button>
        </>
      )}
      {isAsking && (
        <MutationDialog
          title={m.webhooks_secret_rotate_title({ webhook: name })}
          confirm={m.webhooks_secret_rotate()}
          mutation={rotate}
          onConfirm={async () => {
            setSecret((await rotate.mutateAsync()).secret ?? undefined)
            rotate.reset()
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        >
          <p>{m.webhooks_secret_rotate_hint()}</p>
        </MutationDialog>
      )}
    </Card>
  )
}
