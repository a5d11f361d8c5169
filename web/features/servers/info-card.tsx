/** The parts of a card with facts about a server. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Permission } from '#contract/servers/permissions.ts'
import { hasPermission, type ShownServer } from './access.ts'

interface InfoCardProps {
  id: string
  icon: LucideIcon
  title: string
  action?: ReactNode
  children: ReactNode
}

export function InfoCard({ id, icon: Icon, title, action, children }: InfoCardProps) {
  return (
    <section aria-labelledby={id} className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id={id} tabIndex={-1} className="flex scroll-mt-10 items-center gap-2 font-medium outline-none">
          <Icon size={16} className="text-ink-3" aria-hidden="true" />
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t border-line py-1.5 first:border-t-0">
      <dt className="shrink-0 text-13 text-ink-3">{label}</dt>
      <dd className="flex min-w-0 items-center gap-1 text-right text-13">{children}</dd>
    </div>
  )
}

interface OwnerOnlyNoteProps {
  server: ShownServer
  permission: Permission
  message: (inputs: { owner: string }) => string
}

/** For a manager without the permission. */
export function OwnerOnlyNote({ server, permission, message }: OwnerOnlyNoteProps) {
  if (!server.owner || hasPermission(server, permission)) return null
  return <p className="mt-2 text-12 text-ink-3">{message({ owner: server.owner.discord.username })}</p>
}
