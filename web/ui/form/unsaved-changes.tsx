import { useBlocker } from '@tanstack/react-router'
import type { FieldValues } from 'react-hook-form'
import { m } from '#messages'
import { isLeavingPage } from '#web/lib/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import type { Form } from './form-options.ts'

type SavedForm = Pick<Form<FieldValues>, 'isDirty' | 'isBusy' | 'isRestored' | 'problem' | 'discard' | 'deleteDraft'>

/** Shown while something is not saved. */
export function SaveBar({ form: { isDirty, isBusy, isRestored, problem, discard } }: { form: SavedForm }) {
  if (!isDirty) return null
  return (
    <div
      data-save-bar
      className="sticky bottom-4 z-10 mt-6 flex animate-[rise_0.12s_ease-out] flex-wrap items-center justify-between gap-3 rounded-10 border border-line bg-surface-3 px-4 py-3 shadow-overlay max-sm:-mx-4 max-sm:bottom-0 max-sm:in-data-bottom-tabs:bottom-11 max-sm:rounded-none max-sm:border-x-0 max-sm:py-2"
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
        <Button variant="quiet" onClick={discard} disabled={isBusy}>
          {m.ui_unsaved_discard()}
        </Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {m.ui_unsaved_save()}
        </Button>
      </span>
    </div>
  )
}

/** Asks before the user leaves. Does not ask after the session ends, because drafts are stored then. */
export function UnsavedGuard({ form, dirty = form.isDirty, what }: { form: SavedForm; dirty?: boolean; what: string }) {
  const blocker = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: () => dirty && !isLeavingPage(), withResolver: true })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    form.deleteDraft()
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
