/** Short messages at the bottom right. The code that draws them arrives after the page; messages wait for it. */
import type { ExternalToast } from 'sonner'

interface Drawer {
  success: (title: string, more?: ExternalToast) => void
  error: (title: string, more?: ExternalToast) => void
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

/** Something failed. It stays until it is closed, so that nobody misses it. */
export function toastError(title: string, description?: string): void {
  void drawer.then((draw) => draw.error(title, { description, duration: Number.POSITIVE_INFINITY }))
}
