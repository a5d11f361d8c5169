import { Ban, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AdminUser } from '#contract/users-admin.ts'
import { ActionsMenu } from '#web/ui/actions-menu.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { BanUserDialog, UnbanUserDialog } from './ban-user-dialog.tsx'

/** What is done to somebody in a hurry, from each of his pages. */
export function PersonActions({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const [asked, setAsked] = useState<'ban' | 'lift'>()
  const close = () => setAsked(undefined)
  return (
    <>
      <ActionsMenu about={user.discord.username}>
        <MenuItem icon={<Ban size={15} />} danger={!user.banned} onSelect={() => setAsked('ban')}>
          {user.banned ? 'Change ban…' : 'Ban…'}
        </MenuItem>
        {user.banned && (
          <MenuItem icon={<ShieldCheck size={15} />} onSelect={() => setAsked('lift')}>
            Lift ban…
          </MenuItem>
        )}
      </ActionsMenu>
      {asked === 'ban' && <BanUserDialog user={user} isSelf={isSelf} onClose={close} />}
      {asked === 'lift' && <UnbanUserDialog user={user} onClose={close} />}
    </>
  )
}
