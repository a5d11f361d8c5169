import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: ReactNode
  beside?: ReactNode
  above?: ReactNode
  below?: ReactNode
  action?: ReactNode
}

export function PageHeader({ title, beside, above, below, action }: PageHeaderProps) {
  return (
    <header className="mb-6">
      {above !== undefined && <div className="mb-2 text-13 text-ink-3">{above}</div>}
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
          <h1 tabIndex={-1} className="min-w-0 outline-none text-20 font-semibold tracking-[-0.01em] break-words">
            {title}
          </h1>
          {beside}
        </div>
        {action !== undefined && <div className="flex flex-wrap gap-2">{action}</div>}
      </div>
      {below !== undefined && <div className="mt-1.5 text-13 text-ink-2">{below}</div>}
    </header>
  )
}
