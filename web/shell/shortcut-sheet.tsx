import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { m } from '#messages'
import { useHasDownloads } from '#web/features/about/use-has-downloads.ts'
import { isAdmin, meOptions } from '#web/features/session/session.api.ts'
import { areHotkeysOn, setHotkeysOn } from '#web/lib/hotkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { ADMIN_PAGE_KEYS, PAGE_KEYS } from './navigation.tsx'

type Shortcut = readonly [keys: readonly string[], text: string]

const shortcutOf = ({ keys, text }: { keys: string; text: () => string }): Shortcut => [keys.split(' '), text()]

const OR = m.shell_shortcuts_or()

const LIST_SHORTCUTS: readonly Shortcut[] = [
  [['j', OR, '↓'], m.shell_shortcuts_row_next()],
  [['k', OR, '↑'], m.shell_shortcuts_row_previous()],
  [['x', OR, m.shell_shortcuts_space()], m.shell_shortcuts_row_select()],
  [['Enter'], m.shell_shortcuts_row_open()],
]

const INBOX_SHORTCUTS: readonly Shortcut[] = [
  [['j', OR, '↓'], m.shell_shortcuts_notification_next()],
  [['k', OR, '↑'], m.shell_shortcuts_notification_previous()],
  [['e', OR, 'r'], m.shell_shortcuts_mark_read()],
  [['Enter'], m.shell_shortcuts_notification_open()],
]

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areHotkeysOn)
  const { data: me } = useQuery(meOptions)
  const hasDownloads = useHasDownloads()
  const asAdmin = me !== undefined && isAdmin(me)
  return (
    <Dialog title={m.shell_shortcuts()} onDismiss={onClose}>
      <ShortcutList
        shortcuts={[
          [['/'], m.shell_shortcuts_search()],
          ...PAGE_KEYS.filter(({ to }) => to !== '/downloads' || hasDownloads).map(shortcutOf),
          [['Ctrl', 'K'], m.shell_find()],
          [['?'], m.shell_shortcuts_help()],
        ]}
      />
      {asAdmin && (
        <>
          <Caption>{m.common_administration()}</Caption>
          <ShortcutList shortcuts={ADMIN_PAGE_KEYS.map(shortcutOf)} />
        </>
      )}
      <Caption>{m.shell_shortcuts_table()}</Caption>
      <ShortcutList shortcuts={[...LIST_SHORTCUTS, [['Esc'], asAdmin ? m.shell_shortcuts_row_close() : m.shell_shortcuts_clear()]]} />
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

function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
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
