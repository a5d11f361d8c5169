import { Ban, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AdminUserRow } from '#contract/users-admin.ts'
import { Button } from '#web/ui/button.tsx'
import { BanUserDialog, UnbanUserDialog } from './ban-user-dialog.tsx'

interface BanButtonsProps {
  user: Pick<AdminUserRow, 'id' | 'discord' | 'banned' | 'ban_reason' | 'banned_until'>
  isSelf: boolean
}

/** Banning somebody; where he is banned, changing that or lifting it. */
export function BanButtons({ user, isSelf }: BanButtonsProps) {
  const [asked, setAsked] = useState<'ban' | 'lift'>()
  const close = () => setAsked(undefined)
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {/* The first button stays through both acts, and the focus with it. */}
        <Button look={user.banned ? 'secondary' : 'danger'} icon={<Ban size={15} aria-hidden="true" />} onClick={() => setAsked('ban')}>
          {user.banned ? 'Change ban…' : 'Ban…'}
        </Button>
        {user.banned && (
          <Button icon={<ShieldCheck size={15} aria-hidden="true" />} onClick={() => setAsked('lift')}>
            Lift ban…
          </Button>
        )}
      </div>
      {asked === 'ban' && <BanUserDialog user={user} isSelf={isSelf} onClose={close} />}
      {asked === 'lift' && <UnbanUserDialog user={user} onClose={close} />}
    </>
  )
}
