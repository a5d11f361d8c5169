/** How long the removal may take. */
const MAX_WAIT_MS = 1000

/** Focuses the target once the focused element is removed, unless the user moves the focus elsewhere. */
export function focusAfterRemoval(target: () => HTMLElement | null | undefined): void {
  const deadline = performance.now() + MAX_WAIT_MS
  const check = () => {
    if (document.activeElement === null || document.activeElement === document.body) target()?.focus({ preventScroll: true })
    // A closing dialog may return the focus to an element that is about to be removed.
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
