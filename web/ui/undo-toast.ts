import { m } from '#messages'
import { isStatus, messageOf } from '#web/lib/http/http-error.ts'
import { toastError, toastSuccess, withToasts } from './toast.ts'

const UNDO_MS = 8000

/**
 * Offers to undo a change for eight seconds.
 * @param undo rejects if the change could not be undone
 * @param stale says that something has changed since
 */
export function toastUndo(title: string, description: string | undefined, undo: () => Promise<unknown>, stale = m.ui_undo_stale()): void {
  const onFailed = (error: unknown) => toastError(m.ui_undo_failed(), isStatus(error, 412) ? stale : messageOf(error))
  const onClick = () => void undo().then(() => toastSuccess(m.ui_undo_done()), onFailed)
  // Not a success alert: those last three seconds.
  withToasts((toast) => toast.message(title, { description, duration: UNDO_MS, action: { label: m.ui_undo(), onClick } }))
}
