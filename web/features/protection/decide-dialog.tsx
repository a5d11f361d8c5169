import { useState } from 'react'
import type { Consequence, ProtectionIssue } from '#contract/protection.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { ACT, type Act, bodyOf, NOTHING_SAID } from './admin-acts.ts'
import { ConsequenceField } from './consequence-field.tsx'
import { useChangeIssue } from './acts.ts'
import { isTooLong } from './said-field.tsx'
import { SaidFields } from './said-fields.tsx'

interface DecideDialogProps {
  issue: ProtectionIssue
  act: Act
  onDone?: () => void
  onClose: () => void
}

/** What is typed, and sending it once it can be. */
function useDecision({ issue, act, onDone, onClose }: DecideDialogProps) {
  const [said, setSaid] = useState(NOTHING_SAID)
  const [consequence, setConsequence] = useState<Consequence>(issue.consequence)
  const [problem, setProblem] = useState<string>()
  const change = useChangeIssue(issue.id)
  const decide = useSingly(async () => {
    const { needs, done } = ACT[act]
    if (needs !== undefined && said[needs].trim() === '') return setProblem('Write something first.')
    if (isTooLong(said.reply) || isTooLong(said.note)) return
    await change.mutateAsync(bodyOf(act, said, consequence))
    toastSuccess(done)
    onClose()
    onDone?.()
  })
  const typed = () => {
    setProblem(undefined)
    change.reset()
  }
  return { said, setSaid, consequence, setConsequence, problem, change, decide, typed }
}

/** An administrator decides, with what he says to the owner and what he notes for the others. */
export function DecideDialog(props: DecideDialogProps) {
  const { act, onClose } = props
  const words = ACT[act]
  const { said, setSaid, consequence, setConsequence, problem, change, decide, typed } = useDecision(props)
  const busy = change.isPending
  return (
    <Dialog title={words.title} onDismiss={busy ? undefined : onClose} keepOnBackdrop={said !== NOTHING_SAID}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          decide()
        }}
      >
        <p className="mt-2 text-pretty text-ink-2">{words.explains}</p>
        <div className="mt-4 space-y-4" onChange={typed}>
          {act === 'consequence' && <ConsequenceField value={consequence} onChange={setConsequence} />}
          <SaidFields act={act} said={said} problem={problem} readOnly={busy} onChange={setSaid} />
        </div>
        {change.error && <ErrorNote className="mt-4">{messageOf(change.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            {words.confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
