import { useState } from 'react'
import type { IssueDetail } from '#contract/protection.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useReply } from './acts.ts'
import { isTooLong, SaidField } from './said-field.tsx'
import { useKeptText } from './use-kept-text.ts'

/** By it the button at the top of the page finds the form. */
export const ANSWER_FORM = 'answer'

/** The owner writes to the administrators. What was typed stays through any error. */
export function AnswerForm({ issue }: { issue: IssueDetail }) {
  const { text, type, drop } = useKeptText(`issue.${issue.id}.answer`)
  const [problem, setProblem] = useState<string>()
  const reply = useReply(issue)
  const send = useSingly(async () => {
    if (text.trim() === '') return setProblem('Write something first.')
    if (isTooLong(text)) return
    await reply.mutateAsync(text)
    drop()
    toastSuccess('Answer sent', 'Administrators see it beside the issue.')
  })
  return (
    <form
      id={ANSWER_FORM}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="space-y-3"
    >
      <SaidField
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
    </form>
  )
}
