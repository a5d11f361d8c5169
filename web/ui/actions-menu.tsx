import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Menu } from './menu.tsx'

export function ActionsMenu({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Menu
      label={`Actions for ${about}`}
      trigger={(props) => (
        <Button {...props} aria-label={`Actions for ${about}`}>
          Actions
          <ChevronDown size={15} aria-hidden="true" />
        </Button>
      )}
    >
      {children}
    </Menu>
  )
}
