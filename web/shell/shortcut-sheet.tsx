import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { m } from '#messages'
import { useHasDownloads } from '#web/features/about/use-has-downloads.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { areHotkeysOn, setHotkeysOn } from '#web/lib/hotkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Switch } from '#web/ui/switch.tsx'

const DOWNLOADS = [['g', 'd'], m.shell_shortcuts_downloads()] as const

const SHORTCUTS = [
  [['/'], m.shell_shortcuts_search()],
  [['n'], m.nav_new_server()],
  [['g', 's'], m.shell_shortcuts_servers()],
  [['g', 'i'], m.shell_shortcuts_inbox()],
  [['g', 'b'], m.shell_shortcuts_benefits()],
  DOWNLOADS,
  [['g', 't'], m.shell_shortcuts_settings()],
  [['Ctrl', 'K'], m.shell_find()],
  [['?'], m.shell_shortcuts_help()],
] as const

const ADMIN_SHORTCUTS = [
  [['g', 'l'], m.shell_shortcuts_servers_all()],
  [['g', 'u'], m.shell_shortcuts_users()],
  [['g', 'p'], m.shell_shortcuts_issues()],
  [['g', 'a'], m.shell_shortcuts_audit()],
] as const

const OR = m.shell_shortcuts_or()

const LIST_SHORTCUTS = [
  [['j', OR, '↓'], m.shell_shortcuts_row_next()],
  [['k', OR, '↑'], m.shell_shortcuts_row_previous()],
  [['x', OR, m.shell_shortcuts_space()], m.shell_shortcuts_row_select()],
  [['Enter'], m.shell_shortcuts_row_open()],
] as const

const ADMIN_LIST_SHORTCUTS = [...LIST_SHORTCUTS, [['Esc'], m.shell_shortcuts_row_close()]] as const

const INBOX_SHORTCUTS = [
  [['j', OR, '↓'], m.shell_shortcuts_notification_next()],
  [['k', OR, '↑'], m.shell_shortcuts_notification_previous()],
  [['e', OR, 'r'], m.shell_shortcuts_mark_read()],
  [['Enter'], m.shell_shortcuts_notification_open()],
] as const

const OWN_LIST_SHORTCUTS = [...LIST_SHORTCUTS, [['Esc'], m.shell_shortcuts_clear()]] as const

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areHotkeysOn)
  const { data: me } = useQuery(meOptions)
  const hasDownloads = useHasDownloads()
  return (
    <Dialog title={m.shell_shortcuts()} onDismiss={onClose}>
      <ShortcutList shortcuts={hasDownloads ? SHORTCUTS : SHORTCUTS.filter((shortcut) => shortcut !== DOWNLOADS)} />
      {me && isAdmin(me) && (
        <>
          <Caption>{m.common_administration()}</Caption>
          <ShortcutList shortcuts={ADMIN_SHORTCUTS} />
        </>
      )}
      <Caption>{m.shell_shortcuts_table()}</Caption>
      <ShortcutList shortcuts={me && isAdmin(me) ? ADMIN_LIST_SHORTCUTS : OWN_LIST_SHORTCUTS} />
      <Caption>{m.shell_shortcuts_in_inbox()}</Caption>
      <ShortcutList shortcuts={INBOX_SHORTCUTS} />
      <label className="mt-4 flex cursor-pointer items-center justify-between gap-3 rounded-6 bg-surface-2 px-3 py-2.5">
        <span className="text-13">{m.shell_shortcuts_single()}</span>
        <Switch
          checked={on}
          onChange={(event) => {
            setHotkeysOn(event.target.checked)
            setOn(event.target.checked)
          }}
        />
      </label>
      <DialogActions>
        <Button data-focus-first onClick={onClose}>
          {m.common_close()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Caption({ children }: { children: string }) {
  return <h3 className="mt-5 text-12 text-ink-3">{children}</h3>
}

function ShortcutList({ shortcuts }: { shortcuts: readonly (readonly [keys: readonly string[], label: string])[] }) {
  return (
    <dl className="mt-2 first:mt-4">
      {shortcuts.map(([keys, label]) => (
        <div key={label} className="flex items-center justify-between border-t border-line py-2 first:border-t-0">
          <dt className="text-ink-2">{label}</dt>
          <dd className="flex gap-1">
            {keys.map((key) =>
              key === OR ? (
                <span key={key} className="px-0.5 text-12 text-ink-3">
                  {key}
                </span>
              ) : (
                <Kbd key={key}>{key}</Kbd>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
