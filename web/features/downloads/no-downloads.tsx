import type { Downloads } from '#contract/public-site/downloads.ts'
import { m } from '#messages'
import { EmptyState, WarnNote } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

export function NoDownloads({ state: { configured, read_at }, isAdmin }: { state: Downloads; isAdmin: boolean }) {
  // `ManifestProblem` shows why a manifest could not be read.
  if (!isAdmin || (configured && read_at === null)) return <EmptyState title={m.downloads_none()}>{m.downloads_none_hint()}</EmptyState>
  if (configured) return <EmptyState title={m.downloads_manifest_empty()}>{m.downloads_manifest_empty_hint()}</EmptyState>
  return (
    <EmptyState title={m.downloads_not_set_up()}>
      <p>
        <RichText message={m.downloads_not_set_up_how} tags={CODE} />
      </p>
      <p className="mt-2">
        <RichText message={m.downloads_not_set_up_example} tags={CODE} />
      </p>
    </EmptyState>
  )
}

const CODE = {
  code: (text: string) => <code className="font-mono text-13 [overflow-wrap:anywhere] text-ink-1">{text}</code>,
}

export function ManifestProblem({ problem, readAt }: { problem: string; readAt: string | null }) {
  return (
    <WarnNote className="mb-5">
      <p className="font-medium">{m.downloads_manifest_invalid()}</p>
      <p className="mt-0.5 [overflow-wrap:anywhere]">{problem}</p>
      <p className="mt-0.5 text-ink-2">
        {readAt === null ? (
          m.downloads_manifest_never_valid()
        ) : (
          <RichText message={m.downloads_manifest_last_valid} tags={{ time: () => <TimeAgo at={readAt} /> }} />
        )}
      </p>
    </WarnNote>
  )
}
