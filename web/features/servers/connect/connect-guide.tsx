import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { IconButton } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Connection, CONNECTION_GROUPS, readExample } from './connections.ts'
import { PLACEHOLDER, type Snippet, snippetsOf } from './snippets.ts'
import { useConnection } from './use-connection.ts'

interface ConnectGuideProps {
  server: Server
  /** Known only right after it was created. */
  credential?: string
  /** Beside the note about a missing credential, such as a button that reissues it. */
  action?: ReactNode
}

/** How to connect a game server: a choice, then files to save and commands to run. */
export function ConnectGuide({ server, credential, action }: ConnectGuideProps) {
  // The route loader has fetched this.
  const { data: about } = useSuspenseQuery(aboutOptions)
  const [connection, choose] = useConnection()
  const { file = '' } = connection
  const {
    data: example,
    error,
    refetch,
  } = useQuery({
    queryKey: ['example', file],
    queryFn: () => readExample(file),
    enabled: file !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const snippets = snippetsOf(connection, { server, credential, masterlist: about.masterlist_url }, example)
  return (
    <div className="space-y-4">
      <ConnectionChoice current={connection} onChoose={choose} />
      <p className="text-13 text-pretty text-ink-2">{connection.hint}</p>
      {credential === undefined && <PlaceholderNote action={action} />}
      {snippets.map((snippet) => (
        <SnippetBlock key={snippet.name} snippet={snippet} />
      ))}
      {file !== '' &&
        example === undefined &&
        (error ? <RetryNote onRetry={() => void refetch()}>{m.ui_part_failed()}</RetryNote> : <Skeleton className="h-96" />)}
    </div>
  )
}

function ConnectionChoice({ current, onChoose }: { current: Connection; onChoose: (key: string) => void }) {
  const name = useId()
  return (
    <div className="space-y-3">
      {CONNECTION_GROUPS.map(({ title, connections }) => (
        <fieldset key={title} className="min-w-0">
          <legend className="mb-1.5 text-12 text-ink-3">{title}</legend>
          <div className="flex flex-wrap gap-1.5">
            {connections.map(({ key, label }) => (
              <label
                key={key}
                className="inline-flex min-h-8 cursor-pointer items-center rounded-6 border border-line px-2.5 text-13 text-ink-2 hover:border-line-strong has-checked:border-accent has-checked:bg-surface-2 has-checked:font-medium has-checked:text-ink-1 has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
              >
                <input type="radio" name={name} checked={key === current.key} onChange={() => onChoose(key)} className="sr-only" />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}

function PlaceholderNote({ action }: { action: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
      <p className="min-w-0 flex-[1_1_16rem]">
        <RichText
          message={m.servers_connect_placeholder}
          tags={{ placeholder: () => <code className="font-mono text-ink-1">{PLACEHOLDER}</code> }}
        />
      </p>
      {action}
    </div>
  )
}

function SnippetBlock({ snippet: { name, language, text, isFile } }: { snippet: Snippet }) {
  return (
    <div>
      <div className="mb-1 flex min-h-9 items-center gap-1">
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
