import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/events/audit.ts'
import { EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { TimelinePages } from '#web/features/activity/activity-list.tsx'
import { changesOf } from '#web/features/activity/changes.ts'
import { Changes } from '#web/features/activity/timeline.tsx'
import { exactTime, useTimeZone } from '#web/lib/time.ts'
import { CopyButton } from '#web/ui/button.tsx'
import { CopiedFact, Fact, Facts, PanelPending, SidePanel, useMissingRow } from '#web/ui/table/side-panel.tsx'
import { AuditSentence, ROLE_NAMES } from './audit-sentence.tsx'
import { auditEntryOptions, auditTargetOptions } from './audit.api.ts'

/** @param row the entry, if it is on the loaded page */
export function AuditPanel({ id, row, onClose }: { id: string; row: AuditEntry | undefined; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...auditEntryOptions(id), enabled: row === undefined, retryOnMount: true })
  const entry = row ?? data
  const isMissing = entry === null
  useMissingRow(isMissing, m.audit_missing(), onClose)
  if (isMissing) return null
  return (
    <SidePanel id={id} onClose={onClose} title={entry ? EVENTS[entry.action].title() : m.nav_audit_log()}>
      {entry ? <Details entry={entry} /> : <PanelPending error={error} onRetry={() => void refetch()} />}
    </SidePanel>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  useTimeZone()
  const { actor_id: actorId, owner_id: ownerId, user_id: userId, server } = entry
  return (
    <>
      <p className="mt-4 text-ink-2">
        <AuditSentence entry={entry} />
      </p>
      <Changes changes={changesOf(entry)} />
      <Facts>
        <Fact label={m.audit_when()}>{exactTime(entry.at)}</Fact>
        <Fact label={m.audit_role()}>{ROLE_NAMES[entry.as]}</Fact>
        {server && <CopiedFact label={m.audit_server_id()} text={server.public_id} copyNoun={m.audit_copy_server()} />}
        {actorId !== null && <CopiedFact label={m.audit_actor_id()} text={actorId} copyNoun={m.audit_copy_by()} />}
        {ownerId !== null && ownerId !== actorId && (
          <CopiedFact label={m.servers_admin_owner_id()} text={ownerId} copyNoun={m.audit_copy_about()} />
        )}
        {userId !== null && userId !== actorId && userId !== ownerId && (
          <CopiedFact label={m.users_user_id()} text={userId} copyNoun={m.audit_copy_with()} />
        )}
        <CopiedFact label={m.audit_entry_id()} text={entry.id} copyNoun={m.audit_copy_entry()} />
      </Facts>
      <div className="mt-5 flex flex-wrap gap-2">
        <CopyButton
          text={new URL(`/admin/audit?open=${entry.id}`, location.origin).href}
          label={m.audit_copy_link_label()}
          caption={m.audit_copy_link()}
        />
      </div>
      <ul className="mt-4 space-y-1 text-13">
        {actorId !== null && <FilterLink search={{ actor_id: actorId }}>{m.audit_all_by({ name: nameOf(entry.actor) })}</FilterLink>}
        {server && <FilterLink search={{ target_id: server.public_id }}>{m.audit_all_about({ name: server.name })}</FilterLink>}
        {ownerId !== null && <FilterLink search={{ target_id: ownerId }}>{m.audit_all_about({ name: nameOf(entry.owner) })}</FilterLink>}
      </ul>
    </>
  )
}

const nameOf = (user: AuditEntry['actor']) => user?.discord.username ?? m.audit_erased()

function FilterLink({ search, children }: { search: { actor_id: string } | { target_id: string }; children: ReactNode }) {
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

export function AuditSection({ targetId, onServer = false }: { targetId: string; onServer?: boolean }) {
  return (
    <section aria-labelledby="audit-part">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 id="audit-part" tabIndex={-1} className="text-13 font-medium text-ink-2 outline-none">
          {m.audit_section()}
        </h2>
        <Link
          to="/admin/audit"
          search={{ target_id: targetId }}
          className="inline-flex min-h-6 items-center gap-1 rounded-6 text-13 text-accent hover:underline"
        >
          {m.audit_open()}
          <ArrowUpRight size={14} aria-hidden="true" />
        </Link>
      </div>
      <TimelinePages
        query={useInfiniteQuery(auditTargetOptions(targetId))}
        sentence={(entry) => <AuditSentence entry={entry} onServer={onServer} />}
      />
    </section>
  )
}
