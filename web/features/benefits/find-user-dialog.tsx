import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Me, PublicUser } from '#contract/users.ts'
import { FindPerson } from '#web/features/users/find-person.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'

export function FindUserDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const [person, setPerson] = useState<PublicUser>()
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/admin/users/$user_id/benefits', params: { user_id: id } })
  return (
    <Dialog title="Benefits of another user" onDismiss={onClose}>
      <p className="mt-2 mb-4 text-13 text-pretty text-ink-2">Find the person, then grant, take back or force a tier.</p>
      <FindPerson me={me} notOneself="That is you. Open your own with the button below." found={person} onFound={setPerson} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {person ? (
          <Button look="primary" onClick={() => open(person.id)}>
            Open benefits
          </Button>
        ) : (
          <Button onClick={() => open(me.id)}>Open your own</Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
