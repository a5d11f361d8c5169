import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon?: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="rounded-10 border border-dashed border-line px-6 py-10 text-center">
      {icon !== undefined && (
        <div className="mx-auto mb-3 flex size-14 items-center justify-center rounded-full bg-surface-2 text-ink-3">{icon}</div>
      )}
      <h2 className="text-16 font-semibold">{title}</h2>
      <div className="mx-auto mt-1.5 max-w-lg text-pretty text-ink-2">{children}</div>
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
