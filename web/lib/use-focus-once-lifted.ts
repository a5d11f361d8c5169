import { useEffect, useRef } from 'react'
import { focusOnceGone } from './focus.ts'

/** Lifting a ban goes with the ban, whoever lifts it: the focus then goes to the target. */
export function useFocusOnceLifted(banned: boolean, target: () => HTMLElement | null | undefined): void {
  const was = useRef(banned)
  const latest = useRef(target)
  useEffect(() => {
    latest.current = target
    if (was.current && !banned) focusOnceGone(() => latest.current())
    was.current = banned
  })
}
