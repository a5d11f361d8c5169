import { Eye, MessageSquare } from 'lucide-react'
import type { IssueDetail } from '#contract/protection.ts'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { toastError } from '#web/ui/toast.ts'
import { ANSWER_FORM } from './answer-form.tsx'
import { useAcknowledge } from './acts.ts'

/** What an owner can do about an issue of his. */
export function OwnerActions({ issue }: { issue: IssueDetail }) {
  const acknowledge = useAcknowledge(issue)
  const say = useSingly(async () => {
    try {
      await acknowledge.mutateAsync()
      // The button goes with what it was for.
      focusOnceGone(() => document.querySelector<HTMLElement>('h1[tabindex]'))
    } catch (error) {
      toastError('Nothing was said', messageOf(error), undefined, `acknowledge ${issue.id}`)
    }
  })
  const answer = () => {
    const field = document.querySelector<HTMLElement>(`#${ANSWER_FORM} textarea`)
    field?.focus()
    field?.scrollIntoView({ block: 'center' })
  }
  return (
    <>
      {issue.status === 'OPEN' && (
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
