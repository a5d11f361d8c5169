import { type ReactNode, Suspense } from 'react'
import { useFirstPageShown } from '#web/lib/use-first-page-shown.ts'

/** Renders parts that the first page does not need, once it has been painted. Their code loads then. */
export function AfterFirstPage({ children }: { children: ReactNode }) {
  return useFirstPageShown() ? <Suspense>{children}</Suspense> : null
}
