import { useBlocker } from '@tanstack/react-router'
import { isLeavingWithDrafts } from '#web/lib/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface SaveBarProps {
  busy: boolean
  /** The changes come from an earlier visit. */
  isBack: boolean
  problem: string | undefined
  onDiscard: () => void
}

export function SaveBar({ busy, isBack, problem, onDiscard }: SaveBarProps) {
  return (
    <div
      data-save-bar
      className="sticky bottom-4 z-10 mt-6 flex animate-[rise_0.12s_ease-out] flex-wrap items-center justify-between gap-3 rounded-10 border border-line bg-surface-3 px-4 py-3 shadow-overlay max-sm:-mx-4 max-sm:bottom-0 max-sm:rounded-none max-sm:border-x-0 max-sm:py-2"
    >
      {problem === undefined ? (
        <span role="status" className="text-13 text-ink-2">
          {isBack ? 'Your unsaved changes are back' : 'Unsaved changes'}
        </span>
      ) : (
        <span role="alert" className="w-full text-13 text-danger">
          {problem}
        </span>
      )}
      <span className="ml-auto flex gap-2">
        <Button look="quiet" onClick={onDiscard} disabled={busy}>
          Discard
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          Save changes
        </Button>
      </span>
    </div>
  )
}

/** Does not ask where the session ended: the changes are kept. */
export function UnsavedGuard({ dirty, onLeave, what }: { dirty: boolean; onLeave: () => void; what: string }) {
  const blocker = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: () => dirty && !isLeavingWithDrafts(), withResolver: true })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    onLeave()
    blocker.proceed()
  }
  return (
    <ConfirmDialog title="Leave without saving?" confirm="Leave" danger busy={false} onConfirm={leave} onClose={blocker.reset}>
      <p>Your changes to {what} are not saved. Leaving throws them away.</p>
    </ConfirmDialog>
  )
}
