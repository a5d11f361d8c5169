/** Apart from the other toasts, because the first page needs only those. */
import { m } from '#messages'
import { isStatus, messageOf } from '#web/lib/http-error.ts'
import { sonner, toastError, toastSuccess } from './toast.ts'

const UNDO_MS = 8000

/** Offers to undo a change for eight seconds. @param undo rejects if the change could not be undone. */
export function toastUndo(title: string, description: string | undefined, undo: () => Promise<unknown>): void {
  const onClick = () => void undo().then(() => toastSuccess(m.ui_undo_done()), onUndoFailed)
  void sonner.then((api) => api.success(title, { description, duration: UNDO_MS, action: { label: m.ui_undo(), onClick } }))
}

function onUndoFailed(error: unknown): void {
  toastError(m.ui_undo_failed(), isStatus(error, 412) ? m.ui_undo_stale() : messageOf(error))
}
