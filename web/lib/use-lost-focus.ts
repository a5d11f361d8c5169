import { type RefObject, useEffect, useRef } from 'react'

/** For the title of a page that comes in place of another one: takes the focus that went with that, and is read out so. */
export function useLostFocus<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
