import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { useLogOut } from '#web/features/session/account-actions.ts'
import { IconButton } from '#web/ui/button.tsx'

export function RestrictedFrame({ me, action, children }: { me: Me; action?: ReactNode; children: ReactNode }) {
  const logOut = useLogOut()
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 sm:px-6">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar user={me.discord} />
          <span className="min-w-0 [overflow-wrap:anywhere] font-medium">{me.discord.username}</span>
        </div>
        <div className="flex items-center gap-2">
          {action}
          <IconButton label={m.shell_logout()} disabled={logOut.isPending} onClick={() => logOut.mutate()}>
            <LogOut size={18} aria-hidden="true" />
          </IconButton>
        </div>
      </header>
      <main className="mx-auto flex w-full max-w-lg flex-1 flex-col items-center justify-center px-6 py-12 text-center">{children}</main>
    </div>
  )
}
