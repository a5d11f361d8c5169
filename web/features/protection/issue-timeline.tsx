import { Eye, type LucideIcon, MessageSquare, Scale, ShieldAlert, StickyNote } from 'lucide-react'
import type { IssueDetail, TimelineEntry } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { CONSEQUENCE, STATUS } from './issue-labels.tsx'
import type { Viewer } from './issue-list.tsx'

export function IssueTimeline({ issue: { timeline }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  return (
    <ol>
      {timeline.map((entry, index) => {
        const Icon = iconOf(entry)
        return (
          <li
            // Entries have no IDs, and the list only grows at the end.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className="relative flex gap-3 pb-5 before:absolute before:top-6 before:bottom-0 before:left-[9px] before:w-px before:bg-line last:pb-0 last:before:hidden"
          >
            <span className="flex h-[22px] w-[19px] shrink-0 items-center justify-center">
              <Icon size={16} className="text-ink-3" aria-hidden="true" />
            </span>
            <div className="min-w-0 flex-1">
              <p className="[overflow-wrap:anywhere] text-ink-2">
                <Sentence entry={entry} viewer={viewer} />
              </p>
              {entry.text !== '' && <EntryText entry={entry} />}
              <p className="mt-0.5 text-12 text-ink-3">
                <TimeAgo at={entry.at} />
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function EntryText({ entry: { by, text, kind } }: { entry: TimelineEntry }) {
  if (by === 'system') return <p className="mt-0.5 text-13 [overflow-wrap:anywhere] text-ink-2">{text}</p>
  return (
    <blockquote className="mt-1.5 rounded-6 border border-line bg-surface-2 px-3 py-2 text-13 [overflow-wrap:anywhere] whitespace-pre-line text-ink-1">
      {kind === 'NOTE' && <span className="mb-0.5 block text-12 text-ink-3">{m.protection_timeline_admins_only()}</span>}
      {text}
    </blockquote>
  )
}

const STATUS_SENTENCES = {
  OPEN: m.protection_timeline_reopened,
  ACKNOWLEDGED: m.protection_timeline_acknowledged,
  RESOLVED: m.protection_timeline_resolved,
  DISMISSED: m.protection_timeline_dismissed,
} as const
const SENTENCES = {
  OPENED: m.protection_timeline_opened,
  STATUS: m.protection_timeline_status,
  CONSEQUENCE: m.protection_timeline_consequence,
  REPLY: m.protection_timeline_replied,
  NOTE: m.protection_timeline_noted,
} as const

function Sentence({ entry, viewer }: { entry: TimelineEntry; viewer: Viewer }) {
  const { kind, status, consequence } = entry
  const tags = { actor: () => <strong className="font-medium text-ink-1">{actorOf(entry, viewer)}</strong> }
  if (kind === 'CONSEQUENCE' && consequence !== null) {
    return <RichText message={m.protection_timeline_consequence_set} inputs={{ consequence: CONSEQUENCE[consequence].name }} tags={tags} />
  }
  return <RichText message={kind === 'STATUS' && status !== null ? STATUS_SENTENCES[status] : SENTENCES[kind]} tags={tags} />
}

function actorOf({ by, actor }: TimelineEntry, viewer: Viewer): string {
  if (by === 'system') return brand.name
  if (by === 'owner') return viewer === 'owner' ? m.protection_timeline_you() : (actor?.discord.username ?? m.protection_timeline_owner())
  return actor === null
    ? m.protection_timeline_administrator()
    : m.protection_timeline_administrator_named({ name: actor.discord.username })
}

const ICONS = { OPENED: ShieldAlert, STATUS: Eye, CONSEQUENCE: Scale, REPLY: MessageSquare, NOTE: StickyNote } as const

function iconOf({ kind, status }: TimelineEntry): LucideIcon {
  return kind === 'STATUS' && status !== null ? STATUS[status].icon : ICONS[kind]
}
