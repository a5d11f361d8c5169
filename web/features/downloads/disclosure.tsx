import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** Something for those who ask for it, at the foot of a card. It is drawn once it is asked for: there may be hundreds of builds. */
export function Disclosure({ summary, children }: { summary: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="group border-t border-line" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 list-none items-center gap-2 px-4 text-13 text-ink-2 outline-offset-[-3px] hover:text-ink-1 sm:px-5 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={15} className="shrink-0 text-ink-3 transition-transform duration-100 group-open:rotate-90" aria-hidden="true" />
        {summary}
      </summary>
      {isOpen && <div className="px-4 pb-4 sm:px-5 sm:pb-5">{children}</div>}
    </details>
  )
}
