import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/note.tsx'

interface LoadOlderProps {
  query: UseInfiniteQueryResult
  /** Shown after the last page of a long list. */
  end: string | false
}

export function LoadOlder({ query, end }: LoadOlderProps) {
  const endText = useRef<HTMLParagraphElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query
  const isComplete = !hasNextPage && end !== false
  const wasPressed = useRef(false)
  useEffect(() => {
    // The button disappears after the last page, so the text in its place gets the focus.
    if (isComplete && wasPressed.current && document.activeElement === document.body) endText.current?.focus({ preventScroll: true })
  }, [isComplete])
  return (
    <>
      {isFetchNextPageError && error && <ErrorNote className="mt-5">{messageOf(error)}</ErrorNote>}
      <div className="mt-6 text-center empty:hidden">
        {hasNextPage && (
          <Button
            busy={isFetchingNextPage}
            onClick={() => {
              wasPressed.current = true
              void fetchNextPage()
            }}
          >
            {m.activity_load_older()}
          </Button>
        )}
        {isComplete && (
          <p ref={endText} tabIndex={-1} className="text-13 text-ink-3 outline-none">
            {end}
          </p>
        )}
      </div>
    </>
  )
}
