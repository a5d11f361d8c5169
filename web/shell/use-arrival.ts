/** Where somebody stands after going to another address: what is in sight, and what has the focus and so is read out. */
import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** How long a place may take to be drawn. */
const PATIENCE_MS = 1000

/** Another page begins at its top, and its title has the focus where nothing in it took the focus itself. */
function enter(main: HTMLElement): void {
  main.scrollTop = 0
  if (main.contains(document.activeElement) && document.activeElement !== main) return
  const title = main.querySelector<HTMLElement>('h1[tabindex]') ?? main
  title.focus({ preventScroll: true })
}

function stepTo(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.scrollIntoView()
  place.focus({ preventScroll: true })
}

/** Goes to the place once it is drawn, or does without it. Answers how to give that up. */
function seek(main: HTMLElement, id: string, without: () => void): () => void {
  const until = performance.now() + PATIENCE_MS
  let frame = 0
  const look = () => {
    const place = main.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
    if (place) stepTo(place)
    else if (performance.now() < until) frame = requestAnimationFrame(look)
    else without()
  }
  look()
  return () => cancelAnimationFrame(frame)
}

/** An address that names a place leads to it, also a second time; every other one to the top of its page. */
export function useArrival(main: RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const hash = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.hash ?? '' })
  // Whoever asks for the same place again goes there again.
  const key = useRouterState({ select: ({ resolvedLocation: at }) => (at?.hash ? at.state.__TSR_key : undefined) })
  const pathBefore = useRef(path)
  useEffect(() => {
    if (!main.current) return undefined
    const page = main.current
    const isOther = pathBefore.current !== undefined && path !== pathBefore.current
    pathBefore.current = path
    const begin = () => isOther && enter(page)
    if (hash !== '') return seek(page, hash, begin)
    begin()
    return undefined
  }, [main, path, hash, key])
}
