import type { Downloads } from '#contract/downloads.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

export function NoDownloads({ state: { configured, read_at }, isAdmin }: { state: Downloads; isAdmin: boolean }) {
  // Where it could not be read, that is said above.
  if (!isAdmin || (configured && read_at === null))
    return (
      <EmptyState title="Nothing to download yet">
        Once there are builds of the game server and its parts, they are here, with checksums and what is new.
      </EmptyState>
    )
  if (configured)
    return (
      <EmptyState title="The manifest has no builds">Add products and builds to it. This page shows them without a restart.</EmptyState>
    )
  return (
    <EmptyState title="No downloads are set up">
      <p>
        Set <Code>DOWNLOADS_MANIFEST</Code> to a JSON file or an address that lists your products and builds, and start Muster again.
      </p>
      <p className="mt-2">
        <Code>docs/downloads.sample.json</Code> is one to begin with; <Code>docs/operating.md</Code> says what each field means.
      </p>
    </EmptyState>
  )
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-13 [overflow-wrap:anywhere] text-ink-1">{children}</code>
}

export function ManifestProblem({ problem, readAt }: { problem: string; readAt: string | null }) {
  return (
    <WarnNote className="mb-5">
      <p className="font-medium">The manifest can’t be used. Only administrators see this.</p>
      <p className="mt-0.5 [overflow-wrap:anywhere]">{problem}</p>
      <p className="mt-0.5 text-ink-2">
        {readAt === null ? (
          'No manifest could be used so far, so visitors see an empty page.'
        ) : (
          <>
            Visitors see the one that was right last, <TimeAgo at={readAt} />.
          </>
        )}
      </p>
    </WarnNote>
  )
}
