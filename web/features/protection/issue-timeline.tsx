import { Eye, type LucideIcon, MessageSquare, Scale, ShieldAlert, StickyNote } from 'lucide-react'
import type { IssueDetail, TimelineEntry } from '#contract/protection.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { Viewer } from './issue-list.tsx'
import { CONSEQUENCE, STATUS } from './issue-labels.ts'

export function IssueTimeline({ issue: { timeline }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  return (
    <ol>
      {timeline.map((entry, index) => {
        const Icon = iconOf(entry)
        return (
          <li
            // They have no ids, and none ever goes or moves.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className="relative flex gap-3 pb-5 before:absolute before:top-6 before:bottom-0 before:left-[9px] before:w-px before:bg-line last:pb-0 last:before:hidden"
          >
            <span className="flex h-[22px] w-[19px] shrink-0 items-center justify-center">
              <Icon size={16} className="text-ink-3" aria-hidden="true" />
            </span>
            <div className="min-w-0 flex-1">
              <p className="[overflow-wrap:anywhere] text-ink-2">
                <strong className="font-medium text-ink-1">{whoOf(entry, viewer)}</strong> {didOf(entry)}
              </p>
              {entry.text !== '' && <Said entry={entry} />}
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

function Said({ entry: { by, text, kind } }: { entry: TimelineEntry }) {
  if (by === 'system') return <p className="mt-0.5 text-13 [overflow-wrap:anywhere] text-ink-2">{text}</p>
  return (
    <blockquote className="mt-1.5 rounded-6 border border-line bg-surface-2 px-3 py-2 text-13 [overflow-wrap:anywhere] whitespace-pre-line text-ink-1">
      {kind === 'NOTE' && <span className="mb-0.5 block text-12 text-ink-3">For administrators only</span>}
      {text}
    </blockquote>
  )
}

function whoOf({ by, actor }: TimelineEntry, viewer: Viewer): string {
  if (by === 'system') return 'Muster'
  if (by === 'owner') return viewer === 'owner' ? 'You' : (actor?.discord.username ?? 'The owner')
  return actor === null ? 'An administrator' : `${actor.discord.username} (administrator)`
}

const DID = {
  OPENED: 'found it',
  STATUS: 'changed its status',
  CONSEQUENCE: 'changed what follows',
  REPLY: 'wrote',
  NOTE: 'noted',
} as const
const BECAME = { OPEN: 'opened it again', ACKNOWLEDGED: 'has seen it', RESOLVED: 'resolved it', DISMISSED: 'dismissed it' } as const

function didOf({ kind, by, status, consequence }: TimelineEntry): string {
  if (kind === 'STATUS' && status !== null) return status === 'ACKNOWLEDGED' && by === 'owner' ? 'said: I have seen it' : BECAME[status]
  if (kind === 'CONSEQUENCE' && consequence !== null) return `${by === 'system' ? 'went on to' : 'set'}: ${CONSEQUENCE[consequence].name}`
  return DID[kind]
}

const ICONS = { OPENED: ShieldAlert, STATUS: Eye, CONSEQUENCE: Scale, REPLY: MessageSquare, NOTE: StickyNote } as const

function iconOf({ kind, status }: TimelineEntry): LucideIcon {
  return kind === 'STATUS' && status !== null ? STATUS[status].icon : ICONS[kind]
}
