import type { ReactNode } from 'react'

export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="rounded-10 border border-dashed border-line px-6 py-10 text-center">
      <h2 className="text-16 font-semibold">{title}</h2>
      <div className="mx-auto mt-1.5 max-w-lg text-pretty text-ink-2">{children}</div>
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
