import type { ReactNode } from 'react'
import { BIN_DAYS } from '#contract/servers/bin-days.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'

interface DangerProps {
  onDelete: () => void
  /** Above the deletion. */
  children: ReactNode
}

export function Danger({ onDelete, children }: DangerProps) {
  const remove = (
    <Button variant="danger" onClick={onDelete}>
      {m.servers_danger_delete_button()}
    </Button>
  )
  return (
    <div className="card divide-y divide-line overflow-hidden">
      {children}
      <DangerAction id="danger-delete" title={m.servers_danger_delete()} action={remove}>
        {m.servers_danger_delete_hint({ count: BIN_DAYS })}
      </DangerAction>
    </div>
  )
}

interface DangerActionProps {
  /** ID of the title, which can take the focus after the button is removed. */
  id: string
  title: string
  action: ReactNode
  children: ReactNode
}

export function DangerAction({ id, title, action, children }: DangerActionProps) {
  return (
    <section className="flex flex-col gap-3 p-5 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div>
        <h2 id={id} tabIndex={-1} className="font-medium outline-none">
          {title}
        </h2>
        <p className="mt-0.5 text-13 text-ink-2">{children}</p>
      </div>
      <div className="flex shrink-0 flex-col gap-2 sm:flex-row">{action}</div>
    </section>
  )
}
