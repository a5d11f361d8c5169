import { useBlocker } from '@tanstack/react-router'
import { m } from '#messages'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before the user leaves a page that shows a secret once. */
export function LeaveGuard({ title, hint, stay }: { title: string; hint: string; stay: string }) {
  const blocker = useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog title={title} confirm={m.ui_unsaved_leave()} cancel={stay} danger onConfirm={blocker.proceed} onClose={blocker.reset}>
      <p>{hint}</p>
    </ConfirmDialog>
  )
}
