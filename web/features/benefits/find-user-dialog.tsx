import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Me, PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { FindUser } from '#web/features/users/find-user.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'

export function FindUserDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const [user, setUser] = useState<PublicUser>()
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/admin/users/$user_id/benefits', params: { user_id: id } })
  return (
    <Dialog title={m.common_find_user_benefits()} onDismiss={onClose}>
      <p className="mt-2 mb-4 text-13 text-pretty text-ink-2">{m.benefits_find_hint()}</p>
      <FindUser me={me} selfMessage={m.benefits_find_self()} found={user} onFound={setUser} />
      <DialogActions>
        <Button onClick={onClose}>{m.common_cancel()}</Button>
        {user ? (
          <Button variant="primary" onClick={() => open(user.id)}>
            {m.benefits_find_open()}
          </Button>
        ) : (
          <Button onClick={() => open(me.id)}>{m.benefits_find_own()}</Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
