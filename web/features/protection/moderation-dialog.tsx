import { useId, useState } from 'react'
import type { Consequence, IssueChanges, ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { CONSEQUENCE } from './issue-labels.ts'
import { updateIssue, useIssueMutation } from './issue-mutations.ts'
import { isTooLong, MessageField } from './message-field.tsx'
import { type Messages, MODERATION_ACTIONS, type ModerationAction, NO_MESSAGES, issueChanges } from './moderation.ts'

interface ModerationDialogProps {
  issue: ProtectionIssue
  action: ModerationAction
  onClose: () => void
}

export function ModerationDialog({ issue, action, onClose }: ModerationDialogProps) {
  const { title, hint, confirm, requires, done } = MODERATION_ACTIONS[action]
  const [messages, setMessages] = useState(NO_MESSAGES)
  const [consequence, setConsequence] = useState<Consequence>(issue.consequence)
  const [error, setError] = useState<string>()
  const update = useIssueMutation((body: IssueChanges) => updateIssue(issue.id, body))
  const submit = useSingleFlight(async () => {
    if (requires !== undefined && messages[requires].trim() === '') return setError(m.protection_message_required())
    if (isTooLong(messages.reply) || isTooLong(messages.note)) return
    await update.mutateAsync(issueChanges(action, messages, consequence))
    toastSuccess(done)
    onClose()
  })
  const clearErrors = () => {
    setError(undefined)
    update.reset()
  }
  const busy = update.isPending
  return (
    <Dialog title={title} onDismiss={busy ? undefined : onClose} ignoreBackdrop={messages !== NO_MESSAGES}>
      <Form onSubmit={submit}>
        <p className="mt-2 text-pretty text-ink-2">{hint}</p>
        <div className="mt-4 space-y-4" onChange={clearErrors}>
          {action === 'consequence' && <ConsequenceField value={consequence} onChange={setConsequence} />}
          <MessageFields action={action} messages={messages} error={error} readOnly={busy} onChange={setMessages} />
        </div>
        {update.error && <ErrorNote className="mt-4">{messageOf(update.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={busy}>
            {m.common_cancel()}
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {confirm}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const FIELDS = [
  { name: 'reply', label: m.protection_reply_to_owner(), rows: 3, hiddenFor: 'note' },
  { name: 'note', label: m.protection_note_label(), rows: 2, hiddenFor: 'reply' },
] as const

interface MessageFieldsProps {
  action: ModerationAction
  messages: Messages
  error?: string | undefined
  readOnly?: boolean
  onChange: (messages: Messages) => void
}

export function MessageFields({ action, messages, error, readOnly = false, onChange }: MessageFieldsProps) {
  const { requires } = MODERATION_ACTIONS[action]
  return FIELDS.filter(({ hiddenFor }) => hiddenFor !== action).map(({ name, label, rows }) => (
    <MessageField
      key={name}
      label={label}
      optional={requires !== name}
      rows={action === 'note' ? 4 : rows}
      error={requires === name ? error : undefined}
      value={messages[name]}
      readOnly={readOnly}
      onChange={(text) => onChange({ ...messages, [name]: text })}
    />
  ))
}

const CONSEQUENCES: readonly Consequence[] = ['NOTICE', 'UNRANKED', 'UNLISTED']

function ConsequenceField({ value, onChange }: { value: Consequence; onChange: (consequence: Consequence) => void }) {
  const group = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">{m.protection_consequence_new()}</legend>
      <div className="space-y-2">
        {CONSEQUENCES.map((each) => {
          const { name, description, icon: Icon } = CONSEQUENCE[each]
          return (
            <label
              key={each}
              className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-6 border border-line px-3 py-2.5 hover:border-line-strong has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={group}
                value={each}
                checked={each === value}
                onChange={() => onChange(each)}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span className="flex items-center gap-1.5 font-medium">
                <Icon size={14} className="text-ink-3" aria-hidden="true" />
                {name}
              </span>
              <span className="col-start-2 text-13 text-pretty text-ink-2">{description}</span>
            </label>
          )
        })}
      </div>
      <p className="mt-2 text-13 text-ink-3">{m.protection_consequence_ban_hint()}</p>
    </fieldset>
  )
}
