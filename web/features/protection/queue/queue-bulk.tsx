import { useState } from 'react'
import type { QueuedIssue } from '#contract/protection.ts'
import { isOpen } from '#web/features/protection/words.ts'
import { Button } from '#web/ui/button.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { type BulkAct, BulkDecide } from './bulk-decide.tsx'

const NOUNS = ['issue', 'issues'] as const

/** What can be decided about several issues at once: those that are open. */
export function QueueBulk({ selection }: { selection: Selection<QueuedIssue> }) {
  // What was selected when it was asked for: the selection goes on under the dialog.
  const [asked, setAsked] = useState<{ act: BulkAct; rows: readonly QueuedIssue[] }>()
  const open = selection.rows.filter(isOpen)
  return (
    <>
      <BulkBar count={selection.rows.length} nouns={NOUNS} onClear={selection.clear}>
        <Button disabled={open.length === 0} onClick={() => setAsked({ act: 'resolve', rows: open })}>
          Resolve…
        </Button>
        <Button disabled={open.length === 0} onClick={() => setAsked({ act: 'dismiss', rows: open })}>
          Dismiss…
        </Button>
      </BulkBar>
      {asked && <BulkDecide {...asked} onDone={selection.keep} onClose={() => setAsked(undefined)} />}
    </>
  )
}
