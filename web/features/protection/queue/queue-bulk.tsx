import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection.ts'
import { m } from '#messages'
import { updateIssue, invalidateIssues } from '#web/features/protection/issue-mutations.ts'
import { MODERATION_ACTIONS, issueChanges, NO_MESSAGES } from '#web/features/protection/moderation.ts'
import { MessageFields } from '#web/features/protection/moderation-dialog.tsx'
import { isTooLong } from '#web/features/protection/message-field.tsx'
import { isOpen } from '#web/features/protection/issue-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { idOf } from './queue-table.tsx'

const BULK_ACTS = ['resolve', 'dismiss'] as const
type BulkAct = (typeof BULK_ACTS)[number]

export function QueueBulk({ selection }: { selection: Selection<QueuedIssue> }) {
  // What was selected when it was asked for: the selection goes on under the dialog.
  const [asked, setAsked] = useState<{ act: BulkAct; rows: readonly QueuedIssue[] }>()
  const open = selection.rows.filter(isOpen)
  return (
    <>
      <BulkBar count={selection.rows.length} countText={m.count_issues} onClear={selection.clear}>
        {BULK_ACTS.map((act) => (
          <Button key={act} disabled={open.length === 0} onClick={() => setAsked({ act, rows: open })}>
            {MODERATION_ACTIONS[act].button}
          </Button>
        ))}
      </BulkBar>
      {asked && <BulkDecide {...asked} onDone={selection.keep} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface BulkDecideProps {
  act: BulkAct
  rows: readonly QueuedIssue[]
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

const nameOf = ({ kind, server, user }: QueuedIssue) =>
  `${ISSUES[kind].name} · ${server?.name ?? 'deleted server'} · ${user.discord.username}`

function BulkDecide({ act, rows, onDone, onClose }: BulkDecideProps) {
  const client = useQueryClient()
  const [said, setSaid] = useState(NO_MESSAGES)
  const many = rows.length === 1 ? 'the issue' : `${rows.length} issues`
  return (
    <BulkDialog
      title={`${MODERATION_ACTIONS[act].confirm} ${many}?`}
      resultText={act === 'resolve' ? m.protection_bulk_resolved : m.protection_bulk_dismissed}
      confirm={MODERATION_ACTIONS[act].confirm}
      rows={rows}
      idOf={idOf}
      nameOf={nameOf}
      check={() => !isTooLong(said.reply) && !isTooLong(said.note)}
      act={(issue) => updateIssue(issue.id, issueChanges(act, said))}
      onDone={(failed) => {
        invalidateIssues(client)
        onDone(failed)
      }}
      onClose={onClose}
    >
      <p>{MODERATION_ACTIONS[act].explains}</p>
      <MessageFields act={act} said={said} onChange={setSaid} />
    </BulkDialog>
  )
}
