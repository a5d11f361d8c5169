const PATIENCE_MS = 1000

/** Moves the focus to the target once its holder has left the page, unless the user moved it elsewhere. */
export function focusAfterRemoval(target: () => HTMLElement | null | undefined): void {
  const until = performance.now() + PATIENCE_MS
  const look = () => {
    if (document.activeElement === null || document.activeElement === document.body) target()?.focus({ preventScroll: true })
    // A dialog that closes may still give the focus back to what is about to go.
    if (performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

export function focusTitleAfterRemoval(): void {
  focusAfterRemoval(pageTitle)
}

export function pageTitle(): HTMLElement | null {
  return document.querySelector<HTMLElement>('h1[tabindex]')
}
