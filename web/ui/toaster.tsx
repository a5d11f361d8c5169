import { useEffect } from 'react'
import { toast, Toaster as Sonner } from 'sonner'
import { drawerIsReady } from './toast.ts'

/** Bottom right, ten at a time, three seconds; waits while hovered or while the tab is hidden. */
export function Toaster({ theme }: { theme: 'light' | 'dark' }) {
  useEffect(() => drawerIsReady(toast), [])
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={10}
      duration={3000}
      closeButton
      theme={theme}
      gap={8}
      mobileOffset={{ bottom: 76, left: 16, right: 16 }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'toast',
          title: 'toast-title',
          description: 'toast-description',
          closeButton: 'toast-close',
          actionButton: 'toast-action',
          icon: 'toast-icon',
        },
      }}
    />
  )
}
