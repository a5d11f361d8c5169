const MAX_WAIT_MS = 1000

/** Moves the focus to the target once its holder has left the page, unless the user moved it elsewhere. */
export function focusAfterRemoval(target: () => HTMLElement | null | undefined): void {
  const deadline = performance.now() + MAX_WAIT_MS
  const check = () => {
    if (document.activeElement === null || document.activeElement === document.body) target()?.focus({ preventScroll: true })
    // A dialog that closes may still give the focus back to what is about to go.
    if (performance.now() < deadline) requestAnimationFrame(check)
  }
  requestAnimationFrame(check)
}

export function focusTitleAfterRemoval(): void {
  focusAfterRemoval(pageTitle)
}

export function pageTitle(): HTMLElement | null {
  return document.querySelector<HTMLElement>('h1[tabindex]')
}
