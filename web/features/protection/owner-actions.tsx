import { Eye, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import type { IssueDetail } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { usePersistedDraft } from '#web/features/session/use-persisted-draft.ts'
import { call } from '#web/lib/http/call.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { useIssueMutation } from './issue-mutations.ts'
import { isTooLong, MessageField } from './message-field.tsx'

/** The form's ID, by which the button at the top of the page finds it. */
const REPLY_FORM = 'reply'

export function OwnerActions({ issue: { user_id: userId, id: issueId, status } }: { issue: IssueDetail }) {
  const mutation = useIssueMutation(() =>
    call('POST /api/users/{userId}/protection-issues/{issueId}/acknowledge', { params: { userId, issueId } }),
  )
  const acknowledge = useSingleFlight(async () => {
    try {
      await mutation.mutateAsync()
    } catch (error) {
      toastError(m.protection_acknowledge_failed(), messageOf(error), undefined, `acknowledge-${issueId}`)
    }
  })
  const goToReply = () => {
    const field = document.querySelector<HTMLElement>(`#${REPLY_FORM} textarea`)
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  }
  return (
    <>
      {status === 'OPEN' && (
        <Button variant="primary" busy={mutation.isPending} icon={<Eye size={16} aria-hidden="true" />} onClick={acknowledge}>
          {m.protection_acknowledge()}
        </Button>
      )}
      <Button icon={<MessageSquare size={16} aria-hidden="true" />} onClick={goToReply}>
        {m.protection_reply()}
      </Button>
    </>
  )
}

/** The owner's reply to the administrators. The text survives errors and visits to other pages. */
export function ReplyForm({ issue: { user_id: userId, id: issueId } }: { issue: IssueDetail }) {
  const { changes, setChanges, discard } = usePersistedDraft<{ text: string }>(`issue.${issueId}.reply`)
  const { text = '' } = changes
  const setText = (next: string) => setChanges(next === '' ? {} : { text: next })
  const [error, setError] = useState<string>()
  const reply = useIssueMutation((message: string) =>
    call('POST /api/users/{userId}/protection-issues/{issueId}/reply', { params: { userId, issueId }, body: { message } }),
  )
  const send = useSingleFlight(async () => {
    if (text.trim() === '') return setError(m.protection_message_required())
    if (isTooLong(text)) return
    await reply.mutateAsync(text)
    setText('')
    // The draft's own effect no longer runs if the user has left the page.
    discard()
    toastSuccess(m.protection_reply_done(), m.protection_reply_done_hint())
  })
  return (
    <Form id={REPLY_FORM} onSubmit={send} className="space-y-3">
      <MessageField
        label={m.protection_reply()}
        hint={m.protection_reply_limit()}
        error={error}
        value={text}
        readOnly={reply.isPending}
        onChange={(next) => {
          setError(undefined)
          reply.reset()
          setText(next)
        }}
      />
      {reply.error && <ErrorNote>{messageOf(reply.error)}</ErrorNote>}
      <Button type="submit" busy={reply.isPending}>
        {m.protection_reply_send()}
      </Button>
    </Form>
  )
}
