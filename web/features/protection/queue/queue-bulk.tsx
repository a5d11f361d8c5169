import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { updateIssue, invalidateIssues } from '#web/features/protection/issue-mutations.ts'
import { MODERATION_ACTIONS, issueChanges, moderationSchema, NO_MESSAGES } from '#web/features/protection/moderation.ts'
import { MessageFields } from '#web/features/protection/moderation-dialog.tsx'
import { isOpen, subjectOf } from '#web/features/protection/issue-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { useForm } from '#web/ui/form/use-form.ts'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { idOf } from './queue-table.tsx'

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

export function QueueBulk({ selection }: { selection: Selection<QueuedIssue> }) {
  // A snapshot of the selection, which may change under the dialog.
  const [dialog, setDialog] = useState<{ action: BulkAction; rows: readonly QueuedIssue[] }>()
  const open = selection.rows.filter(isOpen)
  return (
    <>
      <BulkBar count={selection.rows.length} countText={m.count_issues} onClear={selection.clear}>
        {BULK_ACTIONS.map((action) => (
          <Button key={action} disabled={open.length === 0} onClick={() => setDialog({ action, rows: open })}>
            {BULK_TEXTS[action].button}
          </Button>
        ))}
      </BulkBar>
      {dialog && <BulkModerationDialog {...dialog} onDone={selection.keep} onClose={() => setDialog(undefined)} />}
    </>
  )
}

interface BulkModerationDialogProps {
  action: BulkAction
  rows: readonly QueuedIssue[]
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

const nameOf = (issue: QueuedIssue) => `${ISSUES[issue.kind].name()} · ${subjectOf(issue)} · ${issue.user.discord.username}`

function BulkModerationDialog({ action, rows, onDone, onClose }: BulkModerationDialogProps) {
  const client = useQueryClient()
  const schema = moderationSchema(action)
  const form = useForm({ schema, initial: NO_MESSAGES, submit: async () => {} })
  const fields = useRef<HTMLDivElement>(null)
  const { title, result, reports } = BULK_TEXTS[action]
  return (
    <BulkDialog
      title={title({ issues: m.count_issues(counted(rows.length)) })}
      resultText={result}
      confirm={MODERATION_ACTIONS[action].confirm}
      rows={rows}
      idOf={idOf}
      nameOf={nameOf}
      validate={() => {
        // Shows the mistakes.
        form.submit(fields.current)
        return schema.safeParse(form.values).success
      }}
      action={(issue) => updateIssue(issue.id, issueChanges(action, form.values))}
      onDone={(failed) => {
        invalidateIssues(client)
        onDone(failed)
      }}
      onClose={onClose}
    >
      <p>{MODERATION_ACTIONS[action].hint}</p>
      {rows.some(({ kind }) => kind === 'PLAYER_REPORTS') && <p>{reports}</p>}
      <div ref={fields} className="space-y-4">
        <MessageFields form={form} action={action} />
      </div>
    </BulkDialog>
  )
}
