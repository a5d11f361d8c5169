/** For an overlay that opens: focuses the part that asks for it, instead of the first that can be focused. */
export function focusFirst(event: Event): void {
  const first = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-focus-first]')
  if (!first) return
  event.preventDefault()
  // Otherwise a long dialog would open at its end, where its buttons are.
  first.focus({ preventScroll: true })
}
