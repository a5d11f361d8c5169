/** How long what was dealt with may take to leave the page. */
const PATIENCE_MS = 1000

/**
 * What has the focus is about to leave the page, with the row or the card it stands in. Once it has, the focus goes to the target
 * instead of nowhere; whoever went elsewhere meanwhile stays there.
 */
export function focusOnceGone(target: () => HTMLElement | null | undefined): void {
  const until = performance.now() + PATIENCE_MS
  const look = () => {
    if (document.activeElement === null || document.activeElement === document.body) target()?.focus({ preventScroll: true })
    // Also then: a dialog that closes may still give the focus back to what is about to go.
    if (performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
