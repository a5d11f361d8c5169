import { useId, useState } from 'react'
import type { Consequence, IssueChanges, ProtectionIssue } from '#contract/protection.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { updateIssue, useIssueMutation } from './issue-mutations.ts'
import { MODERATION_ACTIONS, type ModerationAction, issueChanges, NO_MESSAGES, type Messages } from './moderation.ts'
import { isTooLong, MessageField } from './message-field.tsx'
import { CONSEQUENCE } from './issue-labels.ts'

interface DecideDialogProps {
  issue: ProtectionIssue
  act: ModerationAction
  onDone: () => void
  onClose: () => void
}

export function ModerationDialog({ issue, act, onDone, onClose }: DecideDialogProps) {
  const { title, explains, confirm, needs, done } = MODERATION_ACTIONS[act]
  const [said, setSaid] = useState(NO_MESSAGES)
  const [consequence, setConsequence] = useState<Consequence>(issue.consequence)
  const [problem, setProblem] = useState<string>()
  const change = useIssueMutation((body: IssueChanges) => updateIssue(issue.id, body))
  const decide = useSingleFlight(async () => {
    if (needs !== undefined && said[needs].trim() === '') return setProblem('Write something first.')
    if (isTooLong(said.reply) || isTooLong(said.note)) return
    await change.mutateAsync(issueChanges(act, said, consequence))
    toastSuccess(done)
    onClose()
    onDone()
  })
  const typed = () => {
    setProblem(undefined)
    change.reset()
  }
  const busy = change.isPending
  return (
    <Dialog title={title} onDismiss={busy ? undefined : onClose} keepOnBackdrop={said !== NO_MESSAGES}>
      <Form onSubmit={decide}>
        <p className="mt-2 text-pretty text-ink-2">{explains}</p>
        <div className="mt-4 space-y-4" onChange={typed}>
          {act === 'consequence' && <ConsequenceField value={consequence} onChange={setConsequence} />}
          <MessageFields act={act} said={said} problem={problem} readOnly={busy} onChange={setSaid} />
        </div>
        {change.error && <ErrorNote className="mt-4">{messageOf(change.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            {confirm}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const FIELDS = [
  { name: 'reply', label: 'Answer to the owner', rows: 3, notFor: 'note' },
  { name: 'note', label: 'Note for administrators', rows: 2, notFor: 'answer' },
] as const

interface SaidFieldsProps {
  act: ModerationAction
  said: Messages
  problem?: string | undefined
  readOnly?: boolean
  onChange: (said: Messages) => void
}

export function MessageFields({ act, said, problem, readOnly = false, onChange }: SaidFieldsProps) {
  const { needs } = MODERATION_ACTIONS[act]
  return FIELDS.filter(({ notFor }) => notFor !== act).map(({ name, label, rows }) => (
    <MessageField
      key={name}
      label={label}
      optional={needs !== name}
      rows={act === 'note' ? 4 : rows}
      error={needs === name ? problem : undefined}
      value={said[name]}
      readOnly={readOnly}
      onChange={(text) => onChange({ ...said, [name]: text })}
    />
  ))
}

const IN_ORDER: readonly Consequence[] = ['NOTICE', 'UNRANKED', 'UNLISTED']

function ConsequenceField({ value, onChange }: { value: Consequence; onChange: (consequence: Consequence) => void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">From now on</legend>
      <div className="space-y-2">
        {IN_ORDER.map((each) => {
          const { name: called, means, icon: Icon } = CONSEQUENCE[each]
          return (
            <label
              key={each}
              className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-6 border border-line px-3 py-2.5 hover:border-line-strong has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                value={each}
                checked={each === value}
                onChange={() => onChange(each)}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span className="flex items-center gap-1.5 font-medium">
                <Icon size={14} className="text-ink-3" aria-hidden="true" />
                {called}
              </span>
              <span className="col-start-2 text-13 text-pretty text-ink-2">{means}</span>
            </label>
          )
        })}
      </div>
      <p className="mt-2 text-13 text-ink-3">A ban is made on the page of the server or of the user.</p>
    </fieldset>
  )
}
