import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { Button } from './button.tsx'
import { Menu } from './menu.tsx'

export function ActionsMenu({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Menu
      label={m.ui_actions_for({ name: about })}
      trigger={(props) => (
        <Button {...props} aria-label={m.ui_actions_for({ name: about })}>
          {m.ui_actions()}
          <ChevronDown size={15} aria-hidden="true" />
        </Button>
      )}
    >
      {children}
    </Menu>
  )
}
