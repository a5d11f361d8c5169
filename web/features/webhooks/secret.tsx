import { useState } from 'react'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { Button, CopyButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { ConfirmButton, LeaveGuard } from '#web/ui/dialog/confirm-dialog.tsx'
import { WarnNote } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { useRotateSecret } from './webhooks.api.ts'

/** The new secret is only in this component's state. */
export function SecretCard({ webhook: { id, name } }: { webhook: Webhook }) {
  const [secret, setSecret] = useState<string>()
  const rotate = useRotateSecret(id)
  return (
    <Card
      title={m.webhooks_secret_title()}
      description={secret === undefined ? m.webhooks_secret_hint({ brand: brand.name }) : m.webhooks_secret_both()}
    >
      {secret === undefined ? (
        <div className="flex flex-col items-start gap-4">
          <ConfirmButton
            trigger={<Button>{m.webhooks_secret_rotate_ask()}</Button>}
            title={m.webhooks_secret_rotate_title({ webhook: name })}
            confirm={m.webhooks_secret_rotate()}
            mutation={rotate}
            onConfirm={async () => {
              const replaced = await rotate.mutateAsync()
              rotate.reset()
              setSecret(replaced.secret ?? undefined)
            }}
          >
            <p>{m.webhooks_secret_rotate_hint()}</p>
          </ConfirmButton>
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
    </Card>
  )
}

/** Shows a new secret, which is not shown again, and how to verify with it. Leaving the page needs confirmation. */
export function SecretPanel({ secret }: { secret: string }) {
  return (
    <div className="space-y-4">
      <WarnNote>{m.webhooks_secret_once()}</WarnNote>
      <div className="flex items-center gap-2 rounded-6 border border-line bg-surface-0 py-1 pr-1 pl-3">
        <code data-secret className="min-w-0 flex-1 font-mono text-13 break-all select-all">
          {secret}
        </code>
        <CopyButton text={secret} label={m.webhooks_secret_copy()} />
      </div>
      <VerifyHelp />
      <LeaveGuard title={m.webhooks_secret_leave_title()} hint={m.webhooks_secret_leave_hint()} stay={m.webhooks_secret_stay()} />
    </div>
  )
}

const VERIFY = [
  "import { Webhook } from 'standardwebhooks'",
  '',
  'const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers)',
].join('\n')

function VerifyHelp() {
  const link = (text: string) => (
    <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
      {text}
    </a>
  )
  return (
    <details className="w-full">
      <summary className="w-fit rounded-6 text-13 text-ink-2 hover:text-ink-1">{m.webhooks_secret_verify()}</summary>
      <p className="my-2 text-13 text-pretty text-ink-2">
        <RichText message={m.webhooks_secret_verify_hint} tags={{ standard: link }} />
      </p>
      <CodeBlock label={m.webhooks_secret_verify()} text={VERIFY} language="javascript" />
    </details>
  )
}
