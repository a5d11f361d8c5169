import { Eye, MessageSquare } from 'lucide-react'
import { z } from 'zod'
import type { IssueDetail } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { useDraftKey } from '#web/features/session/session.api.ts'
import { call, messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { Form, FormNotes, useForm } from '#web/ui/form/form.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { MAX_MESSAGE, messageSchema, useIssueMutation } from './moderation.ts'

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

const ReplySchema = z.object({ message: messageSchema(true) })

/** The owner's reply to the administrators. The text survives errors and visits to other pages. */
export function ReplyForm({ issue: { user_id: userId, id: issueId } }: { issue: IssueDetail }) {
  const reply = useIssueMutation((message: string) =>
    call('POST /api/users/{userId}/protection-issues/{issueId}/reply', { params: { userId, issueId }, body: { message } }),
  )
  const form = useForm({
    schema: ReplySchema,
    initial: { message: '' },
    draft: useDraftKey(`issue.${issueId}.reply`),
    submit: async ({ message }) => {
      await reply.mutateAsync(message)
      form.discard()
      toastSuccess(m.protection_reply_done(), m.protection_reply_done_hint())
    },
  })
  return (
    <Form form={form} id={REPLY_FORM} className="space-y-3">
      <TextField
        form={form}
        name="message"
        label={m.protection_reply()}
        hint={m.protection_reply_limit()}
        rows={4}
        max={MAX_MESSAGE}
        readOnly={form.isBusy}
      />
      <FormNotes form={form} />
      <Button type="submit" busy={form.isBusy}>
        {m.protection_reply_send()}
      </Button>
    </Form>
  )
}
