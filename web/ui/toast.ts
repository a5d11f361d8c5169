/** Short messages at the bottom right. The code that draws them arrives after the page; messages wait for it. */
import type { ExternalToast } from 'sonner'
import { copyText } from './copy-text.ts'

interface Drawer {
  success: (title: string, more?: ExternalToast) => void
  error: (title: string, more?: ExternalToast) => void
  message: (title: string, more?: ExternalToast) => void
  dismiss: (id: string) => void
}

let ready: (drawer: Drawer) => void
const drawer = new Promise<Drawer>((resolve) => {
  ready = resolve
})

/** The part that draws says here that it is there. */
export function drawerIsReady(value: Drawer): void {
  ready(value)
}

/** Something worked. It goes by itself. */
export function toastSuccess(title: string, description?: string): void {
  void drawer.then((draw) => draw.success(title, { description }))
}

/** Another user did something. It stays ten seconds; with an id it can be dismissed before. */
export function toastNews(title: string, description?: string, id?: string): void {
  void drawer.then((draw) => draw.message(title, { description, duration: 10_000, ...(id !== undefined && { id }) }))
}

export function dismissToast(id: string): void {
  void drawer.then((draw) => draw.dismiss(id))
}

/** Something failed. It stays until it is closed, or dismissed by its id. */
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

/** Copying answers in place and leaves the message where it is. */
function copyAction(details: string): ExternalToast['action'] {
  return {
    label: 'Copy details',
    onClick: (event) => {
      event.preventDefault()
      const button = event.currentTarget
      void copyText(details).then((done) => {
        button.textContent = done ? 'Copied' : 'Could not copy'
      })
    },
  }
}
