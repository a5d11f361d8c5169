import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit.ts'
import { type ActorRole, EVENTS } from '#contract/events.ts'
import { changesOf } from '#web/features/activity/changes.ts'
import { Changes } from '#web/features/activity/timeline.tsx'
import { exactTime } from '#web/lib/time.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CopiedFact, Fact, Facts, PanelPending, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { AuditSentence } from './audit-sentence.tsx'
import { auditEntryOptions } from './audit.api.ts'

const ROLE: Readonly<Record<ActorRole, string>> = {
  self: 'User, for themselves',
  manager: 'Manager',
  administrator: 'Administrator',
  system: 'Muster itself',
}

interface AuditPanelProps {
  id: string
  /** Where it stands on the page that is shown. */
  row: AuditEntry | undefined
  onClose: () => void
}

export function AuditPanel({ id, row, onClose }: AuditPanelProps) {
  const { data, error, refetch } = useQuery({ ...auditEntryOptions(id), enabled: row === undefined, retryOnMount: true })
  const entry = row ?? data
  const gone = entry === null
  useMissingRow(gone, 'There is no such row in the audit log', onClose)
  if (gone) return null
  return (
    <SidePanel id={id} onClose={onClose} title={entry ? EVENTS[entry.action].title : 'Audit log'}>
      {entry ? <Details entry={entry} /> : <PanelPending error={error} onRetry={() => void refetch()} />}
    </SidePanel>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const { actor_id: actorId, owner_id: ownerId, user_id: userId, server } = entry
  return (
    <>
      <p className="mt-4 text-ink-2">
        <AuditSentence entry={entry} />
      </p>
      <Changes changes={changesOf(entry)} />
      <Facts>
        <Fact label="When">{exactTime(entry.at)}</Fact>
        <Fact label="In which part">{ROLE[entry.as]}</Fact>
        {server && <CopiedFact label="Server" text={server.public_id} copies="id: server" />}
        {actorId !== null && <CopiedFact label="Done by" text={actorId} copies="id: done by" />}
        {ownerId !== null && ownerId !== actorId && <CopiedFact label="About" text={ownerId} copies="id: about" />}
        {userId !== null && userId !== actorId && userId !== ownerId && <CopiedFact label="With" text={userId} copies="id: with" />}
        <CopiedFact label="Row" text={entry.id} copies="id: row" />
      </Facts>
      <div className="mt-5 flex flex-wrap gap-2">
        <CopyButton
          text={new URL(`/admin/audit?open=${entry.id}`, location.origin).href}
          label="Copy the address of this row"
          caption="Copy link"
        />
      </div>
      <ul className="mt-4 space-y-1 text-13">
        {actorId !== null && <Only search={{ actor_id: actorId }}>Everything done by {nameOf(entry.actor)}</Only>}
        {server && <Only search={{ target_id: server.public_id }}>Everything about {server.name}</Only>}
        {ownerId !== null && <Only search={{ target_id: ownerId }}>Everything about {nameOf(entry.owner)}</Only>}
      </ul>
    </>
  )
}

const nameOf = (person: AuditEntry['actor']) => person?.discord.username ?? 'the erased account'

function Only({ search, children }: { search: { actor_id: string } | { target_id: string }; children: ReactNode }) {
  return (
    <li>
      <Link
        to="/admin/audit"
        search={search}
        className="inline-flex min-h-6 items-center gap-1.5 rounded-6 text-accent hover:underline pointer-coarse:min-h-11"
      >
        <ListFilter size={14} className="shrink-0" aria-hidden="true" />
        <span>{children}</span>
      </Link>
    </li>
  )
}
