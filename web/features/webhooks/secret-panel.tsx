import { m } from '#messages'
import { LeaveGuard } from '#web/ui/dialog/leave-guard.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { CodeBlock } from './code-block.tsx'

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

export function VerifyHelp() {
  return (
    <details>
      <summary className="w-fit rounded-6 text-13 text-ink-2 hover:text-ink-1">{m.webhooks_secret_verify()}</summary>
      <p className="mt-2 mb-2 text-13 text-pretty text-ink-2">
        <RichText
          message={m.webhooks_secret_verify_hint}
          tags={{
            standard: (text) => (
              <a
                href="https://www.standardwebhooks.com"
                target="_blank"
                rel="noreferrer"
                className="text-accent underline underline-offset-2"
              >
                {text}
              </a>
            ),
          }}
        />
      </p>
      <CodeBlock label={m.webhooks_secret_verify()} text={VERIFY} />
    </details>
  )
}
