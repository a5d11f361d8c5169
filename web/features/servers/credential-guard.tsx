import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Stands beside a credential that is shown once: leaving the page by accident, back or a reload, is asked about. */
export function CredentialGuard() {
  const blocker = useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave the credential behind?"
      confirm="Leave"
      danger
      busy={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>It is not shown again. Without it you would have to reissue a new one before the server can announce.</p>
    </ConfirmDialog>
  )
}
