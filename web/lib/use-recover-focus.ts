import { type RefObject, useEffect, useRef } from 'react'

/** For the title of a page that replaces another: takes the lost focus, and is read out. */
export function useRecoverFocus<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
