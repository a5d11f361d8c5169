import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { IconButton } from '#web/ui/button.tsx'
import { counted, type CountText } from '#web/ui/count-text.ts'

interface BulkBarProps {
  count: number
  countText: CountText
  onClear: () => void
  children: ReactNode
}

export function BulkBar({ count, countText, onClear, children }: BulkBarProps) {
  const selected = m.ui_bulk_selected({ items: countText(counted(count)) })
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 ? selected : ''}
      </p>
      {count > 0 && (
        <div
          role="group"
          aria-label={m.ui_bulk_actions()}
          className="sticky bottom-4 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-10 border border-line bg-surface-3 px-4 py-2.5 shadow-overlay max-[30rem]:gap-1.5 max-[30rem]:px-2.5 max-[30rem]:[&_button]:px-2.5"
        >
          <span className="mr-auto text-13 font-medium tabular-nums">
            <span className="max-[30rem]:hidden">{selected}</span>
            <span className="min-[30rem]:hidden">{m.ui_bulk_selected({ items: counted(count).shown })}</span>
          </span>
          {children}
          <IconButton label={m.ui_bulk_clear()} onClick={onClear} className="max-[30rem]:ml-auto">
            <X size={17} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </>
  )
}
