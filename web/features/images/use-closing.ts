import { useEffect, useRef } from 'react'
import { focusOnceGone } from '#web/lib/focus.ts'
import { toastNews } from '#web/ui/toast.ts'

/**
 * For a dialog that may go with the field it was opened from, such as when a benefit ends meanwhile: then it says so. Where the person
 * leaves the page, or `isMeant` was called, it says nothing.
 */
export function useClosing(label: string): { isMeant: () => void; isGone: () => boolean } {
  const state = useRef({ isThere: false, isMeant: false })
  useEffect(() => {
    const now = state.current
    const { pathname } = location
    now.isThere = true
    return () => {
      now.isThere = false
      // A moment later it is known whether it is gone for good, and whether the page is.
      setTimeout(() => {
        if (now.isThere || now.isMeant || location.pathname !== pathname) return
        focusOnceGone(() => document.querySelector<HTMLElement>('h1[tabindex]'))
        toastNews('The picture was not used', `${label} can’t be changed any more.`)
      })
    }
  }, [label])
  return {
    isMeant: () => {
      state.current.isMeant = true
    },
    isGone: () => !state.current.isThere,
  }
}
