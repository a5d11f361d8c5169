import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Server, ServerWithCredential } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { saveFile } from '#web/lib/csv.ts'
import { browserStorage } from '#web/lib/storage.ts'
import { CopyButton, IconButton } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { LeaveGuard } from '#web/ui/dialog/confirm-dialog.tsx'
import { RetryNote, Skeleton, WarnNote } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { announceCommand } from '#web/features/servers/server-toml.ts'
import { Choice } from './choice.tsx'
import { type Connection, findConnection, IN_CODE, WITHOUT_CODE } from './connections.ts'
import { readExample } from './read-example.ts'
import { namedEndpoint, useRoute } from './route.ts'
import { RouteQuestion } from './route-question.tsx'
import { PLACEHOLDER, type Snippet, snippetsOf } from './snippets.ts'

const KEY = 'muster.connection'

/** The chosen connection, from the search param `with` of the page. Without one, the last choice in this browser. */
export function useConnection(): [connection: Connection, choose: (key: string) => void] {
  const { with: chosen } = useSearch({ strict: false })
  const navigate = useNavigate()
  const choose = (key: string) => {
    browserStorage.write(KEY, key)
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, with: key }),
      replace: true,
      resetScroll: false,
      // A page that shows a credential asks before it closes. It stays open here.
      ignoreBlocker: true,
    })
  }
  return [findConnection(chosen ?? browserStorage.read(KEY)), choose]
}

const SETUP_NAMES = {
  toml: ['port', 'players'],
  file: ['PORT', 'MAX_PLAYERS'],
  command: ['PORT', 'MAX_PLAYERS'],
} as const

interface ConnectGuideProps {
  server: Server
  /** Known only right after it was created. */
  credential?: string | undefined
  /** In place of a missing credential: what to write instead of the placeholder. */
  placeholderNote?: typeof m.servers_connect_placeholder
  /** Beside the note, such as a button that reissues the credential. */
  action?: ReactNode
}

/** How to connect a game server: a choice, then files to save and commands to run. */
export function ConnectGuide({ server, credential, placeholderNote = m.servers_connect_placeholder, action }: ConnectGuideProps) {
  // The route loader has fetched this.
  const { data: about } = useSuspenseQuery(aboutOptions)
  const [connection, choose] = useConnection()
  const [route, setRoute] = useRoute(server)
  const { key, hint, files = [] } = connection
  // Both groups are one choice, so the arrow keys walk through both.
  const group = { name: useId(), chosen: key, onChoose: choose }
  const examples = useQuery({
    queryKey: ['examples', key],
    queryFn: () => Promise.all(files.map(readExample)),
    enabled: files.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const named = namedEndpoint(route)
  const snippets = snippetsOf(
    connection,
    { server, named, credential, masterlist: about.masterlist_url, panel: location.origin },
    examples.data ?? [],
  )
  return (
    <div className="space-y-4">
      <RouteQuestion route={route} onChoose={setRoute} />
      <Choice {...group} title={m.servers_connect_without_code()} options={WITHOUT_CODE} />
      <Choice {...group} title={m.servers_connect_in_code()} options={IN_CODE} />
      <p className="text-13 text-pretty text-ink-2">
        {hint} {server.last_announced === null && <SetupHint connection={connection} isPublicPort={named?.port !== undefined} />}
      </p>
      {credential === undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
          <p className="min-w-0 flex-1 basis-64">
            <RichText message={placeholderNote} tags={{ placeholder: () => <code className="font-mono text-ink-1">{PLACEHOLDER}</code> }} />
          </p>
          {action}
        </div>
      )}
      {snippets.map((snippet) => (
        <SnippetBlock key={snippet.name} snippet={snippet} />
      ))}
      {examples.error && <RetryNote onRetry={() => void examples.refetch()}>{m.ui_part_failed()}</RetryNote>}
      {examples.isLoading && <Skeleton className="h-96" />}
    </div>
  )
}

interface SetupHintProps {
  connection: Connection
  /** Whether the port is already that of the tunnel, which the game does not know. */
  isPublicPort: boolean
}

/** Names the settings whose example values the owner must change. */
function SetupHint({ connection: { settings }, isPublicPort }: SetupHintProps) {
  const [port, slots] = SETUP_NAMES[settings ?? 'toml']
  const name = (text: string) => <code className="font-mono text-ink-1">{text}</code>
  return (
    <RichText
      message={isPublicPort ? m.servers_connect_setup_tunnel : m.servers_connect_setup}
      tags={{ port: () => name(port), slots: () => name(slots) }}
    />
  )
}

function SnippetBlock({ snippet: { name, language, text, isFile } }: { snippet: Snippet }) {
  return (
    <div>
      <div className="mb-1.5 flex min-h-9 items-center gap-1">
        <p className={isFile ? 'min-w-0 flex-1 font-mono text-13 break-all' : 'min-w-0 flex-1 text-13 font-medium'}>{name}</p>
        <CopyButton text={text} label={m.servers_connect_copy({ name })} />
        {isFile && (
          <IconButton label={m.servers_connect_download({ name })} onClick={() => saveFile(text, name.replace(/.*\//, ''), 'text/plain')}>
            <Download size={15} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <CodeBlock label={name} text={text} language={language} />
    </div>
  )
}

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
  const [route] = useRoute(server)
  const command = announceCommand(server, credential, about.masterlist_url, namedEndpoint(route))
  return (
    <div className="flex items-start gap-1">
      <CodeBlock label={m.servers_credential_command()} text={command} language="shell" />
      <CopyButton text={command} label={m.servers_credential_command_copy()} />
    </div>
  )
}
