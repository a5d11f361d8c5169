import { Download } from 'lucide-react'
import type { ServerWithCredential } from '#contract/servers.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { announceByHand, serverToml } from './server-toml.ts'

interface CredentialPanelProps {
  server: ServerWithCredential
  masterlist: string
  /** So many seconds after its last announce a server counts as offline. */
  ttlSeconds: number
}

/** The credential, this once: alone, in a ready block, and in a line that tries it. */
export function CredentialPanel({ server, masterlist, ttlSeconds }: CredentialPanelProps) {
  const toml = serverToml(server, server.credential, masterlist)
  return (
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
            <DownloadButton text={toml} />
          </div>
        </div>
        <CodeBlock label="server.toml" text={toml} />
      </div>
      <details className="group">
        <summary className="w-fit rounded-6 text-13 text-ink-2 hover:text-ink-1">Try it without a server</summary>
        <p className="mt-2 mb-2 text-13 text-ink-2">
          This command announces once. The server counts as offline again {ttlSeconds} seconds later.
        </p>
        <div className="relative">
          <CodeBlock label="Command that announces once" text={announceByHand(server.credential, masterlist)} />
          <span className="absolute top-1.5 right-1.5 rounded-6 bg-surface-0">
            <CopyButton text={announceByHand(server.credential, masterlist)} label="Copy the command" />
          </span>
        </div>
      </details>
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

/** The block as a file, made in the browser at the click. */
function DownloadButton({ text }: { text: string }) {
  return (
    <Button icon={<Download size={15} aria-hidden="true" />} onClick={() => saveFile(text, 'server.toml', 'application/toml')}>
      Download
    </Button>
  )
}
