/** After a navigation: what is in sight, and what has the focus and so is read out. */
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

const PATIENCE_MS = 1000

/** Scroll positions by entry of the browser's history. */
const positions = new Map<string, number>()

/** Whether the browser's back or forward button led here. */
function useIsReturn(): RefObject<boolean> {
  const { history } = useRouter()
  const isReturn = useRef(false)
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        isReturn.current = action.type !== 'PUSH' && action.type !== 'REPLACE'
      }),
    [history],
  )
  return isReturn
}

/** Ignores the scrolling that the browser does by itself on the way to another page. */
function useKeptPosition(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    const page = main.current
    if (!page) return undefined
    const keep = () => {
      const { location, resolvedLocation } = router.state
      const entry = location.state.__TSR_key
      if (entry !== undefined && entry === resolvedLocation?.state.__TSR_key) positions.set(entry, page.scrollTop)
    }
    page.addEventListener('scroll', keep, { passive: true })
    return () => page.removeEventListener('scroll', keep)
  }, [main, router])
}

/** Tries in each frame until it is done, for a second. Returns how to give that up. */
function tryInFrames(isDone: () => boolean, otherwise?: () => void): () => void {
  const until = performance.now() + PATIENCE_MS
  let frame = 0
  const look = () => {
    if (isDone()) return
    if (performance.now() < until) frame = requestAnimationFrame(look)
    else otherwise?.()
  }
  look()
  return () => cancelAnimationFrame(frame)
}

/** Scrolls once the page is long enough. */
function restore(main: HTMLElement, top: number): () => void {
  return tryInFrames(() => {
    main.scrollTop = top
    return main.scrollTop >= top - 1
  })
}

function enter(main: HTMLElement): void {
  main.scrollTop = 0
  focusTitle(main)
}

function focusTitle(main: HTMLElement): void {
  if (main.contains(document.activeElement) && document.activeElement !== main) return
  const title = main.querySelector<HTMLElement>('h1[tabindex]') ?? main
  title.focus({ preventScroll: true })
}

function stepTo(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.scrollIntoView()
  place.focus({ preventScroll: true })
}

/** Goes to the place once it is drawn, or does without it. */
function seek(main: HTMLElement, id: string, without: () => void): () => void {
  return tryInFrames(() => {
    const place = main.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
    if (place) stepTo(place)
    return place !== null
  }, without)
}

/** An address with a hash leads to that place, also a second time; others to the top of their page. */
export function useRouteFocus(main: RefObject<HTMLElement | null>): void {
  const at = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation })
  const path = at?.pathname
  const hash = at?.hash ?? ''
  const entry = at?.state.__TSR_key ?? ''
  // The same hash again goes there again.
  const key = hash && entry
  const isReturn = useIsReturn()
  useKeptPosition(main)
  const pathBefore = useRef(path)
  useEffect(() => {
    if (!main.current) return undefined
    const page = main.current
    const isOther = pathBefore.current !== undefined && path !== pathBefore.current
    pathBefore.current = path
    const begin = () => isOther && enter(page)
    if (hash !== '') return seek(page, hash, begin)
    const top = positions.get(entry) ?? 0
    if (isOther && isReturn.current && top > 0) {
      focusTitle(page)
      return restore(page, top)
    }
    begin()
    return undefined
    // Another entry of the same path is no arrival.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [main, path, hash, key])
}
