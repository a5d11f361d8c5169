import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { ISSUE_KINDS, ISSUES } from '#contract/protection/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import {
  ConsequenceBadge,
  isOpen,
  KindIcon,
  SEVERITY,
  SeverityBadge,
  STATUS,
  StatusBadge,
  subjectOf,
} from '#web/features/protection/issue-labels.tsx'
import { MessageFields } from '#web/features/protection/moderation-dialog.tsx'
import {
  invalidateIssues,
  issueChanges,
  MODERATION_ACTIONS,
  moderationSchema,
  NO_MESSAGES,
  updateIssue,
} from '#web/features/protection/moderation.ts'
import { formatNumber } from '#web/lib/format.ts'
import { counted } from '#web/ui/count-text.ts'
import { useForm } from '#web/ui/form/form.tsx'
import { BulkBar, type BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { ListFilter } from '#web/ui/table/filter-bar.tsx'
import { AboveRowLink, type Column, NoneCell, RowTitle, type Selection, TimeCell } from '#web/ui/table/list-table.tsx'
import type { issuesList } from './queue.api.ts'

const LINK = 'relative rounded-6 hover:text-ink-1 hover:underline'

export function ServerAndOwner({ issue }: { issue: QueuedIssue }) {
  const { server, user } = issue
  return (
    <>
      {server === null ? (
        subjectOf(issue)
      ) : (
        <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className={LINK}>
          {server.name}
        </Link>
      )}
      {' · '}
      <Link to="/admin/users/$user_id" params={{ user_id: user.id }} className={LINK}>
        {user.discord.username}
      </Link>
    </>
  )
}

export const QUEUE_COLUMNS: readonly Column<QueuedIssue>[] = [
  {
    id: 'issue',
    header: m.protection_issue(),
    cell: ({ row: { id, original: issue } }) => (
      <RowTitle
        id={id}
        href={`/admin/protection-issues/${id}/users/${issue.user_id}`}
        icon={<KindIcon kind={issue.kind} />}
        name={ISSUES[issue.kind].name()}
        subtitle={<ServerAndOwner issue={issue} />}
      />
    ),
  },
  {
    id: 'severity',
    header: m.protection_severity(),
    cell: ({ row }) => <SeverityBadge severity={row.original.severity} />,
    meta: { untitledInCard: true, className: 'whitespace-nowrap min-[1300px]:w-28' },
  },
  {
    id: 'status',
    header: m.protection_status(),
    cell: ({ row }) => <StatusBadge status={row.original.status} />,
    meta: { untitledInCard: true, className: 'whitespace-nowrap min-[1300px]:w-36' },
  },
  {
    id: 'consequence',
    header: m.protection_consequence(),
    cell: ({ row: { original: issue } }) =>
      isOpen(issue) ? (
        <AboveRowLink>
          <ConsequenceBadge consequence={issue.consequence} />
        </AboveRowLink>
      ) : (
        <NoneCell />
      ),
    meta: { untitledInCard: true, className: 'whitespace-nowrap min-[1300px]:w-32' },
  },
  {
    id: 'occurrences',
    header: m.protection_queue_seen(),
    cell: ({ row }) => `${formatNumber(row.original.occurrences)}×`,
    meta: { alignEnd: true, className: 'tabular-nums whitespace-nowrap min-[1300px]:w-20' },
  },
  {
    id: 'last_seen_at',
    header: m.protection_queue_last_seen(),
    cell: ({ row }) => <TimeCell at={row.original.last_seen_at} />,
    meta: { className: 'whitespace-nowrap min-[1300px]:w-28' },
  },
]

const optionsOf = (labels: Readonly<Record<string, { name: string }>>) =>
  Object.entries(labels).map(([value, { name }]) => ({ value, label: name }))

export const QUEUE_FILTERS: readonly ListFilter<QueuedIssue, keyof typeof issuesList.filters>[] = [
  { name: 'status', label: m.protection_status(), options: optionsOf(STATUS) },
  { name: 'severity', label: m.protection_severity(), options: optionsOf(SEVERITY).toReversed() },
  { name: 'kind', label: m.protection_kind(), options: ISSUE_KINDS.map((value) => ({ value, label: ISSUES[value].name() })) },
  {
    name: 'user_id',
    label: m.issues_page_owner(),
    nameOf: (rows, id) => rows.find((row) => row.user_id === id)?.user.discord.username,
  },
]

const BULK_ACTIONS = ['resolve', 'dismiss'] as const
type BulkAction = (typeof BULK_ACTIONS)[number]

const BULK_TEXTS = {
  resolve: {
    button: m.protection_bulk_resolve_ask(),
    title: m.protection_bulk_resolve,
    result: m.protection_bulk_resolved,
    reports: m.protection_bulk_resolve_reports(),
  },
  dismiss: {
    button: m.protection_bulk_dismiss_ask(),
    title: m.protection_bulk_dismiss,
    result: m.protection_bulk_dismissed,
    reports: m.protection_bulk_dismiss_reports(),
  },
} as const

export const nameOf = (issue: QueuedIssue) => `${ISSUES[issue.kind].name()} · ${subjectOf(issue)} · ${issue.user.discord.username}`

export function QueueBulk({ selection }: { selection: Selection<QueuedIssue> }) {
  const client = useQueryClient()
  const rows = selection.rows.filter(isOpen)
  return (
    <BulkBar
      selection={selection}
      countText={m.count_issues}
      actions={BULK_ACTIONS.map((action) => ({
        label: BULK_TEXTS[action].button,
        rows,
        dialog: (target: BulkTarget<QueuedIssue>) => <BulkModerationDialog {...target} action={action} />,
      }))}
      onDone={() => void invalidateIssues(client)}
    />
  )
}

function BulkModerationDialog({ action, ...target }: BulkTarget<QueuedIssue> & { action: BulkAction }) {
  const { rows } = target
  const schema = moderationSchema(action)
  const form = useForm({ schema, initial: NO_MESSAGES, submit: async () => {} })
  const fields = useRef<HTMLDivElement>(null)
  const { title, result, reports } = BULK_TEXTS[action]
  return (
    <BulkDialog
      {...target}
      title={title({ issues: m.count_issues(counted(rows.length)) })}
      resultText={result}
      confirm={MODERATION_ACTIONS[action].title}
      validate={() => {
        // Shows the mistakes.
        form.submit(fields.current)
        return schema.safeParse(form.values).success
      }}
      action={(issue) => updateIssue(issue.id, issueChanges(action, form.values))}
    >
      <p>{MODERATION_ACTIONS[action].hint}</p>
      {rows.some(({ kind }) => kind === 'PLAYER_REPORTS') && <p>{reports}</p>}
      <div ref={fields} className="space-y-4">
        <MessageFields form={form} action={action} />
      </div>
    </BulkDialog>
  )
}
