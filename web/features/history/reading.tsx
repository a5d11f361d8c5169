import type { ReactNode } from 'react'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { cx } from '#web/ui/class-names.ts'
import { RetryNote } from '#web/ui/note.tsx'

interface ReadingProps {
  /** How reading it goes. */
  read: { error: Error | null; isPlaceholderData: boolean; refetch: () => Promise<unknown> }
  /** The id of the heading over it. */
  heading: string
  /** What is known, or its place; null where nothing is to come. */
  children: ReactNode
}

/** What could not be read is said over what is known. While another range is on its way, what stands there is the one before. */
export function Reading({ read: { error, isPlaceholderData, refetch }, heading, children }: ReadingProps) {
  const again = () => {
    void refetch()
    focusOnceGone(() => document.getElementById(heading))
  }
  return (
    <>
      {error && (
        <div className="mt-4">
          <RetryNote onRetry={again}>{messageOf(error)}</RetryNote>
        </div>
      )}
      <div aria-busy={isPlaceholderData} className={cx('transition-opacity duration-100', isPlaceholderData && 'opacity-60')}>
        {children}
      </div>
    </>
  )
}
