/** Where the focus goes when the focused element leaves the page. Screen readers announce it. */

/** How long a page that opens has to set the focus itself. */
const DELAY_MS = 100

/** The focused element and everything around it. For an item of a menu, the button that opened the menu. */
export function focusPath(): readonly Element[] {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  const button = menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`)
  const path: Element[] = []
  for (let element = button ?? focused; element; element = element.parentElement) path.push(element)
  return path
}

/** The first title in sight, so that the next Tab goes on there. */
function titleIn(part: Element): Element | undefined {
  const titles = [...part.querySelectorAll(':is(h1, h2, h3)[tabindex]')]
  const isInSight = (title: Element) => title.getBoundingClientRect().top >= 0 && title.getBoundingClientRect().bottom <= innerHeight
  return titles.find(isInSight) ?? titles[0]
}

/** Focuses the element. If that can't be, focuses a title of the closest section that is still there. */
export function restoreFocus([element, ...ancestors]: readonly Element[]): void {
  const titles = ancestors.filter((each) => each.isConnected).map(titleIn)
  for (const target of [element, ...titles]) {
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    if (document.activeElement === target) return
  }
}

/** A `ref` for the title of a page that replaces another. */
export function takeLostFocus(title: HTMLElement | null): void {
  if (document.activeElement === document.body) title?.focus({ preventScroll: true })
}

/** Dialogs return the focus themselves. */
function isClosedOverlay(element: Element): boolean {
  return !element.isConnected && element.matches('[role=dialog], [role=alertdialog]')
}

/** Restores the focus whenever the focused element is removed or disabled. Returns a function that ends it. */
export function recoverFocus(): () => void {
  let path: readonly Element[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const isGone = () => path[0] !== undefined && (!path[0].isConnected || path[0].matches(':disabled')) && !path.some(isClosedOverlay)
  const recover = () => {
    timer = undefined
    if (document.activeElement !== document.body) return
    if (isGone()) restoreFocus(path)
    // The user has left the element.
    else path = []
  }
  const recoverLater = () => {
    timer ??= setTimeout(recover, DELAY_MS)
  }
  const observer = new MutationObserver(() => {
    if (isGone()) recoverLater()
  })
  const onFocus = () => {
    path = focusPath()
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', recoverLater)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', recoverLater)
    observer.disconnect()
    clearTimeout(timer)
  }
}
