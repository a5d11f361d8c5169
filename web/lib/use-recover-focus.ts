import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the title of a page that replaced another, so that screen readers announce it. */
export function useRecoverFocus<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
