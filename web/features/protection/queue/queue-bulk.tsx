import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection.ts'
import { m } from '#messages'
import { changeIssue, readDecidedAnew } from '#web/features/protection/acts.ts'
import { ACT, bodyOf, NOTHING_SAID } from '#web/features/protection/admin-acts.ts'
import { SaidFields } from '#web/features/protection/decide-dialog.tsx'
import { isTooLong } from '#web/features/protection/said-field.tsx'
import { isOpen } from '#web/features/protection/words.ts'
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
            {ACT[act].button}
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
  const [said, setSaid] = useState(NOTHING_SAID)
  const many = rows.length === 1 ? 'the issue' : `${rows.length} issues`
  return (
    <BulkDialog
      title={`${ACT[act].confirm} ${many}?`}
      resultText={act === 'resolve' ? m.protection_bulk_resolved : m.protection_bulk_dismissed}
      confirm={ACT[act].confirm}
      rows={rows}
      idOf={idOf}
      nameOf={nameOf}
      check={() => !isTooLong(said.reply) && !isTooLong(said.note)}
      act={(issue) => changeIssue(issue.id, bodyOf(act, said))}
      onDone={(failed) => {
        readDecidedAnew(client)
        onDone(failed)
      }}
      onClose={onClose}
    >
      <p>{ACT[act].explains}</p>
      <SaidFields act={act} said={said} onChange={setSaid} />
    </BulkDialog>
  )
}
