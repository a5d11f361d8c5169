import { useEffect, useRef } from 'react'
import { focusAfterRemoval } from './focus.ts'

/** Moves the focus to the target once a ban is lifted, because its button disappears. */
export function useFocusAfterUnban(banned: boolean, target: () => HTMLElement | null | undefined): void {
  const wasBanned = useRef(banned)
  const latestTarget = useRef(target)
  useEffect(() => {
    latestTarget.current = target
    if (wasBanned.current && !banned) focusAfterRemoval(() => latestTarget.current())
    wasBanned.current = banned
  })
}
