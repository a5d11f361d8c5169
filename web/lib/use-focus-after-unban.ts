import { useEffect, useRef } from 'react'
import { focusAfterRemoval } from './focus.ts'

/** The button that lifts a ban goes with it: the focus goes to the target. */
export function useFocusAfterUnban(banned: boolean, target: () => HTMLElement | null | undefined): void {
  const was = useRef(banned)
  const latest = useRef(target)
  useEffect(() => {
    latest.current = target
    if (was.current && !banned) focusAfterRemoval(() => latest.current())
    was.current = banned
  })
}
