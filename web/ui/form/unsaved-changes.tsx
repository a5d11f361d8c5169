import { useBlocker } from '@tanstack/react-router'
import { m } from '#messages'
import { isLeavingWithDrafts } from '#web/lib/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'

interface SaveBarProps {
  busy: boolean
  /** The changes were restored from an earlier visit. */
  isRestored: boolean
  problem: string | undefined
  onDiscard: () => void
}

export function SaveBar({ busy, isRestored, problem, onDiscard }: SaveBarProps) {
  return (
    <div
      data-save-bar
      className="sticky bottom-4 z-10 mt-6 flex animate-[rise_0.12s_ease-out] flex-wrap items-center justify-between gap-3 rounded-10 border border-line bg-surface-3 px-4 py-3 shadow-overlay max-sm:-mx-4 max-sm:bottom-0 max-sm:rounded-none max-sm:border-x-0 max-sm:py-2"
    >
      {problem === undefined ? (
        <span role="status" className="text-13 text-ink-2">
          {isRestored ? m.common_unsaved_restored() : m.ui_unsaved()}
        </span>
      ) : (
        <span role="alert" className="w-full text-13 text-danger">
          {problem}
        </span>
      )}
      <span className="ml-auto flex gap-2">
        <Button variant="quiet" onClick={onDiscard} disabled={busy}>
          {m.ui_unsaved_discard()}
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {m.ui_unsaved_save()}
        </Button>
      </span>
    </div>
  )
}

/** Asks before the user leaves. Does not ask after the session ends, because drafts are stored then. */
export function UnsavedGuard({ dirty, onLeave, what }: { dirty: boolean; onLeave: () => void; what: string }) {
  const blocker = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: () => dirty && !isLeavingWithDrafts(), withResolver: true })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    onLeave()
    blocker.proceed()
  }
  return (
    <ConfirmDialog
      title={m.ui_unsaved_leave_title()}
      confirm={m.ui_unsaved_leave()}
      cancel={m.ui_unsaved_stay()}
      danger
      onConfirm={leave}
      onClose={blocker.reset}
    >
      <p>{m.ui_unsaved_leave_hint({ what })}</p>
    </ConfirmDialog>
  )
}
