import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { updateIssue, invalidateIssues } from '#web/features/protection/issue-mutations.ts'
import { MODERATION_ACTIONS, issueChanges, moderationSchema, NO_MESSAGES } from '#web/features/protection/moderation.ts'
import { MessageFields } from '#web/features/protection/moderation-dialog.tsx'
import { isOpen, subjectOf } from '#web/features/protection/issue-labels.ts'
import { counted } from '#web/ui/count-text.ts'
import { useForm } from '#web/ui/form/use-form.ts'
import { BulkBar, type BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-list-table.ts'

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
