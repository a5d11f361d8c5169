import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { Button } from './button.tsx'
import { Menu } from './menu.tsx'

export function ActionsMenu({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu
      label={m.ui_actions_for({ name })}
      trigger={
        <Button aria-label={m.ui_actions_for({ name })}>
          {m.ui_actions()}
          <ChevronDown size={15} aria-hidden="true" />
        </Button>
      }
    >
      {children}
    </Menu>
  )
}
