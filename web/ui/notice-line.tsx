import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronRight, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'

interface NoticeLineProps extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  icon: ReactNode
  title: string
  /** Cut off where there is no room, and left out on the narrowest phones. */
  details: ReactNode
}

/** One line that leads to what needs an answer. As high as every other, so the page can reserve its room. */
export function NoticeLine({ icon, title, details, ...link }: NoticeLineProps) {
  return (
    <Link
      {...link}
      className="flex min-h-9 items-center gap-2.5 px-4 text-13 transition-colors duration-100 not-last:border-b not-last:border-line hover:bg-surface-2/50 focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
    >
      <span className="flex shrink-0">{icon}</span>
      <span className="min-w-0 font-medium text-ink-1 max-[359px]:flex-1 sm:shrink-0">{title}</span>
      <span className="min-w-0 flex-1 basis-0 truncate text-ink-2 max-[359px]:hidden">{details}</span>
      <ChevronRight size={15} aria-hidden="true" className="shrink-0 text-ink-3" />
    </Link>
  )
}

/** In its place if nothing needs an answer. */
export function QuietLine({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-9 items-center gap-2.5 px-4 text-13 text-ink-2 pointer-coarse:min-h-11">
      <CircleCheck size={16} className="text-ok" aria-hidden="true" />
      {children}
    </p>
  )
}
