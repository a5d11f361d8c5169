import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/button.tsx'

interface BulkBarProps {
  count: number
  nouns: readonly [string, string]
  onClear: () => void
  children: ReactNode
}

export function BulkBar({ count, nouns, onClear, children }: BulkBarProps) {
  const counted = count.toLocaleString('en')
  const noun = nouns[count === 1 ? 0 : 1]
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 ? `${counted} ${noun} selected` : ''}
      </p>
      {count > 0 && (
        <div
          role="group"
          aria-label="Actions for what is selected"
          className="sticky bottom-4 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-10 border border-line bg-surface-3 px-4 py-2.5 shadow-overlay max-[30rem]:gap-1.5 max-[30rem]:px-2.5 max-[30rem]:[&_button]:px-2.5"
        >
          <span className="mr-auto text-13 font-medium tabular-nums">
            {counted} <span className="max-[30rem]:hidden">{noun} </span>selected
          </span>
          {children}
          <IconButton label="Clear the selection" onClick={onClear}>
            <X size={17} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </>
  )
}
