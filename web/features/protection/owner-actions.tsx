import { Eye, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import type { IssueDetail } from '#contract/protection.ts'
import { usePersistedDraft } from '#web/features/session/use-persisted-draft.ts'
import { call } from '#web/lib/call.ts'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { useIssueMutation } from './issue-mutations.ts'
import { isTooLong, MessageField } from './message-field.tsx'

/** By it the button at the top of the page finds the form. */
const ANSWER_FORM = 'answer'

export function OwnerActions({ issue: { user_id: userId, id: issueId, status } }: { issue: IssueDetail }) {
  const acknowledge = useIssueMutation(() =>
    call('POST /api/users/{userId}/protection-issues/{issueId}/acknowledge', { params: { userId, issueId } }),
  )
  const say = useSingleFlight(async () => {
    try {
      await acknowledge.mutateAsync()
      // The button goes with what it was for.
      focusAfterRemoval(() => document.querySelector<HTMLElement>('h1[tabindex]'))
    } catch (error) {
      toastError('Nothing was said', messageOf(error), undefined, `acknowledge ${issueId}`)
    }
  })
  const answer = () => {
    const field = document.querySelector<HTMLElement>(`#${ANSWER_FORM} textarea`)
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  }
  return (
    <>
      {status === 'OPEN' && (
        <Button look="primary" busy={acknowledge.isPending} icon={<Eye size={16} aria-hidden="true" />} onClick={say}>
          I have seen it
        </Button>
      )}
      <Button icon={<MessageSquare size={16} aria-hidden="true" />} onClick={answer}>
        Answer
      </Button>
    </>
  )
}

/** The owner writes to the administrators. What was typed stays through any error. */
export function AnswerForm({ issue: { user_id: userId, id: issueId } }: { issue: IssueDetail }) {
  const { changes, setChanges, drop } = usePersistedDraft<{ text: string }>(`issue.${issueId}.answer`)
  const { text = '' } = changes
  const type = (next: string) => setChanges(next === '' ? {} : { text: next })
  const [problem, setProblem] = useState<string>()
  const reply = useIssueMutation((message: string) =>
    call('POST /api/users/{userId}/protection-issues/{issueId}/reply', { params: { userId, issueId }, body: { message } }),
  )
  const send = useSingleFlight(async () => {
    if (text.trim() === '') return setProblem('Write something first.')
    if (isTooLong(text)) return
    await reply.mutateAsync(text)
    type('')
    // Also where the page was left meanwhile.
    drop()
    toastSuccess('Answer sent', 'Administrators see it beside the issue.')
  })
  return (
    <Form id={ANSWER_FORM} onSubmit={send} className="space-y-3">
      <MessageField
        label="Answer"
        hint="Administrators read it here. Up to 10 answers a day."
        error={problem}
        value={text}
        readOnly={reply.isPending}
        onChange={(next) => {
          setProblem(undefined)
          reply.reset()
          type(next)
        }}
      />
      {reply.error && <ErrorNote>{messageOf(reply.error)}</ErrorNote>}
      <Button type="submit" busy={reply.isPending}>
        Send the answer
      </Button>
    </Form>
  )
}
