/** For what is chosen in a row that may be longer than the screen: brings it into sight, with a bit of what comes before it. */
export function showInRow(chosen: HTMLElement | null): void {
  const row = chosen?.parentElement
  if (chosen && row && chosen.offsetLeft + chosen.offsetWidth > row.scrollLeft + row.clientWidth) row.scrollLeft = chosen.offsetLeft - 48
}
