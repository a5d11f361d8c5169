import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** For what may go while it has the focus, also by what others do: says so, so that the focus goes somewhere else than nowhere. */
export function useHandedOnFocus<E extends HTMLElement>(onLost: (() => void) | undefined): RefObject<E | null> {
  const ref = useRef<E>(null)
  const lost = useEffectEvent(() => onLost?.())
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      // It is still in the page here, for the last moment.
      if (element?.contains(document.activeElement)) lost()
    }
  }, [])
  return ref
}
