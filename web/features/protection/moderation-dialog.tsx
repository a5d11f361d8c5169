import { useId } from 'react'
import type { Consequence, IssueChanges, ProtectionIssue } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { FieldGroup, TextField, useField } from '#web/ui/form/fields.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { useForm } from '#web/ui/form/form.tsx'
import { Option } from '#web/ui/form/option.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { CONSEQUENCE } from './issue-labels.tsx'
import {
  issueChanges,
  MAX_MESSAGE,
  MODERATION_ACTIONS,
  type ModerationAction,
  type ModerationInput,
  moderationSchema,
  NO_MESSAGES,
  updateIssue,
  useIssueMutation,
} from './moderation.ts'

export function ModerationDialog({ issue, action, onClose }: { issue: ProtectionIssue; action: ModerationAction; onClose: () => void }) {
  const { title, hint, confirm = title, done } = MODERATION_ACTIONS[action]
  const update = useIssueMutation((body: IssueChanges) => updateIssue(issue.id, body))
  const form = useForm({
    schema: moderationSchema(action),
    initial: { ...NO_MESSAGES, consequence: issue.consequence },
    submit: async (input) => {
      await update.mutateAsync(issueChanges(action, input))
      toastSuccess(done)
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={title} confirm={confirm} ignoreBackdrop={form.isDirty} onClose={onClose}>
      <p className="mt-2 text-pretty text-ink-2">{hint}</p>
      <div className="mt-4 space-y-4">
        {action === 'consequence' && <ConsequenceField form={form} />}
        <MessageFields form={form} action={action} />
      </div>
    </FormDialog>
  )
}

const FIELDS = [
  { name: 'reply', label: m.protection_reply_to_owner(), rows: 3, hiddenFor: 'note' },
  { name: 'note', label: m.protection_note_label(), rows: 2, hiddenFor: 'reply' },
] as const

export function MessageFields({ form, action }: { form: Form<ModerationInput>; action: ModerationAction }) {
  return FIELDS.filter(({ hiddenFor }) => hiddenFor !== action).map(({ name, label, rows }) => (
    <TextField
      key={name}
      form={form}
      name={name}
      label={label}
      optional={MODERATION_ACTIONS[action].requires !== name}
      rows={action === 'note' ? 4 : rows}
      max={MAX_MESSAGE}
      readOnly={form.isBusy}
    />
  ))
}

const CONSEQUENCES: readonly Consequence[] = ['NOTICE', 'UNRANKED', 'UNLISTED']

function ConsequenceField({ form }: { form: Form<ModerationInput> }) {
  const { value, onChange, error } = useField(form, 'consequence')
  const group = useId()
  return (
    <FieldGroup legend={m.protection_consequence_new()} error={error}>
      <div className="space-y-2">
        {CONSEQUENCES.map((each) => {
          const { name, description, icon: Icon } = CONSEQUENCE[each]
          return (
            <Option
              key={each}
              type="radio"
              name={group}
              value={each}
              checked={each === value}
              onChange={() => onChange(each)}
              title={
                <span className="flex items-center gap-1.5 font-medium">
                  <Icon size={14} className="text-ink-3" aria-hidden="true" />
                  {name}
                </span>
              }
              hint={description}
              className="rounded-6 border border-line hover:border-line-strong has-checked:border-accent"
            />
          )
        })}
      </div>
      <p className="mt-2 text-13 text-ink-3">{m.protection_consequence_ban_hint()}</p>
    </FieldGroup>
  )
}
