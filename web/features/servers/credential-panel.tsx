import { useSuspenseQuery } from '@tanstack/react-query'
import type { Server, ServerWithCredential } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { CopyButton } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { LeaveGuard } from '#web/ui/dialog/confirm-dialog.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { ConnectGuide } from './connect/connect-guide.tsx'
import { announceCommand } from './server-toml.ts'

/** Shows a new credential, which is not shown again: alone, and in all ways to connect. Leaving the page needs confirmation. */
export function CredentialPanel({ server }: { server: ServerWithCredential }) {
  // The route loader has fetched this. Suspending here would lose the credential.
  const { data: about } = useSuspenseQuery(aboutOptions)
  return (
    <>
      <div className="space-y-4">
        <WarnNote>
          <RichText message={m.servers_credential_once} tags={{ server: () => <strong className="font-semibold">{server.name}</strong> }} />
        </WarnNote>
        <div>
          <p className="mb-1.5 text-13 font-medium">{m.servers_credential_title()}</p>
          <div className="flex items-center gap-2 rounded-6 border border-line bg-surface-0 py-1 pr-1 pl-3">
            <code data-credential className="min-w-0 flex-1 font-mono text-13 break-all select-all">
              {server.credential}
            </code>
            <CopyButton text={server.credential} label={m.servers_credential_copy()} />
          </div>
        </div>
        <ConnectGuide server={server} credential={server.credential} />
        <details className="group">
          <summary className="w-fit rounded-6 text-13 text-ink-2 hover:text-ink-1">{m.servers_credential_test()}</summary>
          <p className="mt-2 mb-2 text-13 text-ink-2">{m.servers_credential_test_hint({ seconds: about.announce_ttl_seconds })}</p>
          <AnnounceCommand server={server} credential={server.credential} />
        </details>
      </div>
      <LeaveGuard title={m.servers_credential_leave_title()} hint={m.servers_credential_leave_hint()} stay={m.servers_credential_stay()} />
    </>
  )
}

export function AnnounceCommand({ server, credential }: { server: Server; credential: string }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  const command = announceCommand(server, credential, about.masterlist_url)
  return (
    <div className="flex items-start gap-1">
      <CodeBlock label={m.servers_credential_command()} text={command} language="shell" />
      <CopyButton text={command} label={m.servers_credential_command_copy()} />
    </div>
  )
}
