/** Focus after a navigation, which screen readers announce. The router scrolls, apart from hashes of what loads later. */
import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** How long the content of a page may take to appear. */
const MAX_WAIT_MS = 1000

function focusTitle(main: HTMLElement): void {
  if (main.contains(document.activeElement) && document.activeElement !== main) return
  const title = main.querySelector<HTMLElement>('h1[tabindex]') ?? main
  title.focus({ preventScroll: true })
}

function focusElement(target: HTMLElement): void {
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.scrollIntoView()
  target.focus({ preventScroll: true })
}

/** Looks for the element in each frame until it is rendered. Returns a function that stops it. */
function scrollToHash(main: HTMLElement, id: string, onMissing: () => void): () => void {
  const deadline = performance.now() + MAX_WAIT_MS
  let frame = 0
  const run = () => {
    const target = main.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
    if (target) focusElement(target)
    else if (performance.now() < deadline) frame = requestAnimationFrame(run)
    else onMissing()
  }
  run()
  return () => cancelAnimationFrame(frame)
}

/** Focuses what the hash names, or the title of another page. */
export function useRouteFocus(main: RefObject<HTMLElement | null>): void {
  const location = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation })
  const path = location?.pathname
  const hash = location?.hash ?? ''
  // Changes with each click on a link with the same hash, so that it scrolls again.
  const key = hash && location?.state.__TSR_key
  const previousPath = useRef(path)
  useEffect(() => {
    const page = main.current
    if (!page) return undefined
    const hasPathChanged = previousPath.current !== undefined && path !== previousPath.current
    previousPath.current = path
    if (hash === '') {
      if (hasPathChanged) focusTitle(page)
      return undefined
    }
    return scrollToHash(page, hash, () => {
      if (!hasPathChanged) return
      page.scrollTop = 0
      focusTitle(page)
    })
  }, [main, path, hash, key])
}
