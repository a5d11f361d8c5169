/** Scroll position and focus after a navigation. Screen readers announce the focused element. */
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** How long the content of a page may take to appear. */
const MAX_WAIT_MS = 1000

/** Keyed by history entry. */
const scrollPositions = new Map<string, number>()

/** Whether the last navigation was back or forward in the browser's history. */
function useIsBackOrForward(): RefObject<boolean> {
  const { history } = useRouter()
  const isBackOrForward = useRef(false)
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        isBackOrForward.current = action.type !== 'PUSH' && action.type !== 'REPLACE'
      }),
    [history],
  )
  return isBackOrForward
}

/** Ignores scrolling by the browser during a navigation. */
function useSaveScrollPosition(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    const page = main.current
    if (!page) return undefined
    const save = () => {
      const { location, resolvedLocation } = router.state
      const entry = location.state.__TSR_key
      if (entry !== undefined && entry === resolvedLocation?.state.__TSR_key) scrollPositions.set(entry, page.scrollTop)
    }
    page.addEventListener('scroll', save, { passive: true })
    return () => page.removeEventListener('scroll', save)
  }, [main, router])
}

/** Retries in each frame until `attempt` returns true or the time is up. Returns a cancel function. */
function retryEachFrame(attempt: () => boolean, onTimeout?: () => void): () => void {
  const deadline = performance.now() + MAX_WAIT_MS
  let frame = 0
  const run = () => {
    if (attempt()) return
    if (performance.now() < deadline) frame = requestAnimationFrame(run)
    else onTimeout?.()
  }
  run()
  return () => cancelAnimationFrame(frame)
}

/** Waits until the page is long enough. */
function restoreScroll(main: HTMLElement, top: number): () => void {
  return retryEachFrame(() => {
    main.scrollTop = top
    return main.scrollTop >= top - 1
  })
}

function scrollToTop(main: HTMLElement): void {
  main.scrollTop = 0
  focusTitle(main)
}

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

/** Waits until the element is rendered. */
function scrollToHash(main: HTMLElement, id: string, onMissing: () => void): () => void {
  return retryEachFrame(() => {
    const target = main.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
    if (target) focusElement(target)
    return target !== null
  }, onMissing)
}

/** Scrolls to the hash, to the saved position after back or forward, or to the top. */
export function useRouteFocus(main: RefObject<HTMLElement | null>): void {
  const location = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation })
  const path = location?.pathname
  const hash = location?.hash ?? ''
  const entry = location?.state.__TSR_key ?? ''
  // Changes with each click on a link with the same hash, so that it scrolls again.
  const key = hash && entry
  const isBackOrForward = useIsBackOrForward()
  useSaveScrollPosition(main)
  const previousPath = useRef(path)
  useEffect(() => {
    if (!main.current) return undefined
    const page = main.current
    const pathChanged = previousPath.current !== undefined && path !== previousPath.current
    previousPath.current = path
    const startAtTop = () => pathChanged && scrollToTop(page)
    if (hash !== '') return scrollToHash(page, hash, startAtTop)
    const top = scrollPositions.get(entry) ?? 0
    if (pathChanged && isBackOrForward.current && top > 0) {
      focusTitle(page)
      return restoreScroll(page, top)
    }
    startAtTop()
    return undefined
    // Without a hash, a new history entry for the same path must not scroll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [main, path, hash, key])
}
