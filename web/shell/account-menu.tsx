import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import type { Me } from '#contract/users/users.ts'
import type { Theme } from '#contract/users/preferences.ts'
import { m } from '#messages'
import { TierName } from '#web/features/users/tier-name.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { useLogOut } from '#web/features/session/account-actions.ts'
import { useThemeChoice, setTheme } from '#web/lib/theme.ts'
import { Menu, MenuLabel, MenuCheckItem, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { changePreferences } from '#web/features/preferences/preferences.api.ts'

interface AccountMenuProps {
  me: Me
  version: string
  /** Shown below 640 px only. */
  note?: string | undefined
  onShortcuts: () => void
}

export function AccountMenu({ me, version, note, onShortcuts }: AccountMenuProps) {
  const theme = useThemeChoice()
  const client = useQueryClient()
  const logOut = useLogOut()
  return (
    <Menu
      label={m.nav_your_account()}
      side="top"
      trigger={
        <button
          type="button"
          className="flex min-h-11 w-full min-w-0 items-center gap-2.5 rounded-6 p-1.5 text-left hover:bg-surface-2 max-lg:w-auto"
        >
          <Avatar user={me.discord} />
          <span className="min-w-0 flex-1 max-lg:sr-only">
            <span title={me.discord.username} className="block truncate text-13 font-medium">
              {me.discord.username}
            </span>
            {me.active_tier !== null && <TierName tier={me.active_tier} className="text-12" />}
          </span>
          <span className="sr-only">{m.nav_your_account()}</span>
        </button>
      }
    >
      <MenuLabel>{m.shell_menu_theme()}</MenuLabel>
      {THEMES.map(({ id, Icon, name }) => (
        <MenuCheckItem key={id} icon={<Icon size={15} />} isChecked={theme === id} onSelect={() => chooseTheme(client, id)}>
          {name()}
        </MenuCheckItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Keyboard size={15} />} onSelect={onShortcuts}>
        {m.shell_shortcuts()}
      </MenuItem>
      <MenuItem icon={<LogOut size={15} />} onSelect={() => logOut.mutate()}>
        {m.shell_menu_log_out()}
      </MenuItem>
      {note !== undefined && (
        <div className="sm:hidden">
          <MenuLabel>{note}</MenuLabel>
        </div>
      )}
      <div className="lg:hidden">
        <MenuLabel>{version}</MenuLabel>
      </div>
    </Menu>
  )
}

export const THEMES = [
  { id: 'system', Icon: Monitor, name: m.shell_menu_system, command: m.shell_palette_system },
  { id: 'dark', Icon: Moon, name: m.shell_menu_dark, command: m.shell_palette_dark },
  { id: 'light', Icon: Sun, name: m.shell_menu_light, command: m.shell_palette_light },
] as const

/** Shows the theme at once and saves it with the account. */
export function chooseTheme(client: QueryClient, theme: Theme): void {
  setTheme(theme)
  void changePreferences(client, { theme })
}
