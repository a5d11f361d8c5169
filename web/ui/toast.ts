/** Toasts (`toaster.tsx` shows them). */
import { type ExternalToast, toast } from 'sonner'
import { m } from '#messages'
import { isStatus, messageOf } from '#web/lib/http/call.ts'
import { copyText } from './copy-text.ts'

export function toastSuccess(title: string, description?: string): void {
  toast.success(title, { description })
}

/** For changes made by other users. Stays for ten seconds. */
export function toastInfo(title: string, description?: string, id?: string): void {
  toast.message(title, { description, duration: 10_000, ...(id !== undefined && { id }) })
}

export function dismissToast(id: string): void {
  toast.dismiss(id)
}

/** Stays until it is closed or dismissed. */
export function toastError(title: string, description?: string, details?: string, id?: string): void {
  toast.error(title, {
    description,
    duration: Number.POSITIVE_INFINITY,
    ...(details !== undefined && { action: copyAction(details) }),
    ...(id !== undefined && { id }),
  })
}

/** Shows the result in the button and keeps the toast open. */
function copyAction(details: string): ExternalToast['action'] {
  return {
    label: m.common_copy_details(),
    onClick: (event) => {
      event.preventDefault()
      const button = event.currentTarget
      void copyText(details).then((done) => {
        button.textContent = done ? m.common_copied() : m.ui_copy_failed()
      })
    },
  }
}

/** For code that could not be loaded. */
export const toastPartFailed = () => toastError(m.ui_part_failed())

const UNDO_MS = 8000

/**
 * Offers to undo a change for eight seconds.
 * @param undo rejects if the change could not be undone
 * @param texts `stale` says that something has changed since, and `done` that the change is undone
 */
export function toastUndo(
  title: string,
  description: string | undefined,
  undo: () => Promise<unknown>,
  { stale = m.ui_undo_stale(), done = [m.ui_undo_done()] }: { stale?: string; done?: Parameters<typeof toastSuccess> } = {},
): void {
  const onFailed = (error: unknown) => toastError(m.ui_undo_failed(), isStatus(error, 412) ? stale : messageOf(error))
  const onClick = () => void undo().then(() => toastSuccess(...done), onFailed)
  // Not a success alert: those last three seconds.
  toast.message(title, { description, duration: UNDO_MS, action: { label: m.ui_undo(), onClick } })
}
