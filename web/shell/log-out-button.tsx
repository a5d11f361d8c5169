import { LogOut } from 'lucide-react'
import { useLogOut } from '#web/features/session/session.api.ts'
import { IconButton } from '#web/ui/button.tsx'

export function LogOutButton() {
  const logOut = useLogOut()
  return (
    <IconButton label="Logout" disabled={logOut.isPending} onClick={() => logOut.mutate()}>
      <LogOut size={18} aria-hidden="true" />
    </IconButton>
  )
}
