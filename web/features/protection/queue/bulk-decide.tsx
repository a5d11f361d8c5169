import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection.ts'
import { ACT, bodyOf, NOTHING_SAID } from '#web/features/protection/admin-acts.ts'
import { changeIssue, readDecidedAnew } from '#web/features/protection/acts.ts'
import { isTooLong } from '#web/features/protection/said-field.tsx'
import { SaidFields } from '#web/features/protection/said-fields.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import { idOf } from './queue-table.tsx'

export type BulkAct = 'resolve' | 'dismiss'

interface BulkDecideProps {
  act: BulkAct
  rows: readonly QueuedIssue[]
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

const nameOf = ({ kind, server, user }: QueuedIssue) =>
  `${ISSUES[kind].name} · ${server?.name ?? 'deleted server'} · ${user.discord.username}`

/** The same decision about many issues, with the same words to each owner. */
export function BulkDecide({ act, rows, onDone, onClose }: BulkDecideProps) {
  const client = useQueryClient()
  const [said, setSaid] = useState(NOTHING_SAID)
  const many = rows.length === 1 ? 'the issue' : `${rows.length} issues`
  return (
    <BulkDialog
      title={act === 'resolve' ? `Resolve ${many}?` : `Dismiss ${many}?`}
      words={['issue', 'issues', act === 'resolve' ? 'resolved' : 'dismissed']}
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
