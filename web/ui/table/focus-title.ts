import { focusOnceGone } from '#web/lib/focus.ts'

/** What takes a filter away goes with it: the focus is then at the page's title, a step before the search and the other filters. */
export function focusTitleOnceGone(): void {
  focusOnceGone(() => document.querySelector<HTMLElement>('h1[tabindex]'))
}
