import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/states.tsx'

/** @param end shown after the last page of a long list */
export function LoadOlder({ query, end }: { query: UseInfiniteQueryResult; end: string | false }) {
  const [wasPressed, setPressed] = useState(false)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query
  const load = () => {
    setPressed(true)
    void fetchNextPage()
  }
  return (
    <>
      {isFetchNextPageError && error && <ErrorNote className="mt-5">{messageOf(error)}</ErrorNote>}
      <div className="mt-6 text-center empty:hidden">
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={load}>
            {m.activity_load_older()}
          </Button>
        )}
        {!hasNextPage && end !== false && (
          // Takes the focus of the button that it replaces.
          <p ref={wasPressed ? focus : undefined} tabIndex={-1} className="text-13 text-ink-3 outline-none">
            {end}
          </p>
        )}
      </div>
    </>
  )
}

function focus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
