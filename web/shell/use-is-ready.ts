import { useRouterState } from '@tanstack/react-router'

/** Whether the first page is shown. Until then, a spinner covers the panel, and what the page does not need is not loaded. */
export function useIsReady(): boolean {
  return useRouterState({ select: ({ resolvedLocation }) => resolvedLocation !== undefined })
}
