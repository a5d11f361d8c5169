import { useSuspenseQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { ServerWithCredential } from '#contract/servers.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { announceByHand, serverToml } from './server-toml.ts'

/** The credential, this once: alone, in a ready block, and in a line that tries it. Leaving it by accident is asked about. */
export function CredentialPanel({ server }: { server: ServerWithCredential }) {
  // The route has read it and the navigation keeps it: nothing suspends while the credential is shown.
  const { data: about } = useSuspenseQuery(aboutOptions)
  const toml = serverToml(server, server.credential, about.masterlist_url)
  return (
    <>
      <div className="space-y-4">
        <WarnNote>
          This is the only time the credential is shown. Whoever has it can announce as{' '}
          <strong className="font-semibold">{server.name}</strong>.
        </WarnNote>
        <div>
          <h3 className="mb-1.5 text-13 font-medium">Credential</h3>
          <div className="flex items-center gap-2 rounded-6 border border-line bg-surface-0 py-1 pr-1 pl-3">
            <code data-credential className="min-w-0 flex-1 font-mono text-13 break-all select-all">
              {server.credential}
            </code>
            <CopyButton text={server.credential} label="Copy the credential" />
          </div>
        </div>
        <div>
          <div className="mb-1.5 flex flex-wrap items-center justify-between gap-2">
            <h3 className="text-13 font-medium">
              Ready for your <code className="font-mono">server.toml</code>
            </h3>
            <div className="flex gap-2">
              <CopyButton text={toml} label="Copy the server.toml block" caption="Copy block" />
              <Button icon={<Download size={15} aria-hidden="true" />} onClick={() => saveFile(toml, 'server.toml', 'application/toml')}>
                Download
              </Button>
            </div>
          </div>
          <CodeBlock label="server.toml" text={toml} />
        </div>
        <details className="group">
          <summary className="w-fit rounded-6 text-13 text-ink-2 hover:text-ink-1">Try it without a server</summary>
          <p className="mt-2 mb-2 text-13 text-ink-2">
            This command announces once. The server counts as offline again {about.announce_ttl_seconds} seconds later.
          </p>
          <AnnounceCommand credential={server.credential} />
        </details>
      </div>
      <CredentialGuard />
    </>
  )
}

export function AnnounceCommand({ credential }: { credential: string }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  const command = announceByHand(credential, about.masterlist_url)
  return (
    <div className="relative">
      <CodeBlock label="Command that announces once" text={command} />
      <span className="absolute top-1.5 right-1.5 rounded-6 bg-surface-0">
        <CopyButton text={command} label="Copy the command" />
      </span>
    </div>
  )
}

function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-72 overflow-auto rounded-6 border border-line bg-surface-0 p-3 font-mono text-12 leading-5"
    >
      {text}
    </pre>
  )
}

function CredentialGuard() {
  const blocker = useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave the credential behind?"
      confirm="Leave"
      danger
      busy={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>It is not shown again. Without it you would have to reissue a new one before the server can announce.</p>
    </ConfirmDialog>
  )
}
