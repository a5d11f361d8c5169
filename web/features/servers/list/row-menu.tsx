import { useNavigate } from '@tanstack/react-router'
import { ArrowUpRight, Copy, Ellipsis, History, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { hasPermission, serverLink, type ShownServer } from '#web/features/servers/access.ts'
import { IconButton } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

/** @param children further items */
export function RowMenu({ server, children }: { server: ShownServer; children?: ReactNode }) {
  const navigate = useNavigate()
  const open = (tab?: 'listing' | 'announces') => void navigate({ ...serverLink(server), search: tab ? { tab } : {} })
  const copy = async (text: string, message: string) => {
    if (await copyText(text)) toastSuccess(message)
  }
  return (
    <Menu
      label={m.ui_actions_for({ name: server.name })}
      trigger={
        <IconButton label={m.ui_actions_for({ name: server.name })}>
          <Ellipsis size={18} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem icon={<ArrowUpRight size={15} />} onSelect={() => open()}>
        {m.servers_row_open()}
      </MenuItem>
      <MenuItem icon={<Pencil size={15} />} onSelect={() => open('listing')}>
        {hasPermission(server, 'EDIT_DETAILS') || hasPermission(server, 'EDIT_APPEARANCE') ? m.servers_row_edit() : m.servers_row_listing()}
      </MenuItem>
      <MenuItem icon={<History size={15} />} onSelect={() => open('announces')}>
        {m.servers_row_announces()}
      </MenuItem>
      {children}
      <MenuSeparator />
      <MenuItem icon={<Copy size={15} />} onSelect={() => void copy(server.public_id, m.servers_row_id_copied())}>
        {m.servers_row_copy_id()}
      </MenuItem>
      {server.live && (
        <MenuItem icon={<Copy size={15} />} onSelect={() => void copy(server.live?.address ?? '', m.servers_row_address_copied())}>
          {m.servers_row_copy_address()}
        </MenuItem>
      )}
    </Menu>
  )
}
