/** Toasts. The code that draws them loads after the page, and messages wait for it. */
import type { ExternalToast, toast } from 'sonner'
import { m } from '#messages'
import { copyText } from './copy-text.ts'

type Drawer = Pick<typeof toast, 'success' | 'error' | 'message' | 'dismiss'>

const { promise: drawer, resolve: drawerIsReady } = Promise.withResolvers<Drawer>()
export { drawerIsReady }

export function toastSuccess(title: string, description?: string): void {
  void drawer.then((draw) => draw.success(title, { description }))
}

/** For changes made by other users. Stays for ten seconds. */
export function toastInfo(title: string, description?: string, id?: string): void {
  void drawer.then((draw) => draw.message(title, { description, duration: 10_000, ...(id !== undefined && { id }) }))
}

export function dismissToast(id: string): void {
  void drawer.then((draw) => draw.dismiss(id))
}

/** Stays until it is closed, or dismissed by its id. */
export function toastError(title: string, description?: string, details?: string, id?: string): void {
  void drawer.then((draw) =>
    draw.error(title, {
      description,
      duration: Number.POSITIVE_INFINITY,
      ...(details !== undefined && { action: copyAction(details) }),
      ...(id !== undefined && { id }),
    }),
  )
}

/** Reports in the button itself and keeps the toast open. */
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
