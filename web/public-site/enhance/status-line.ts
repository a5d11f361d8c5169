/** One line at the edge of the window, which screen readers announce. */

const lineOf = () => document.querySelector<HTMLElement>('[data-status]')

/** @param text by default that the page is not current */
export function showStatus(text?: string): void {
  const line = lineOf()
  if (line !== null) line.textContent = text || (line.dataset['status'] ?? '')
}

export function clearStatus(): void {
  lineOf()?.replaceChildren()
}
