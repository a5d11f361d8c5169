import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { hotkeysOn, setHotkeys } from '#web/lib/hotkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Kbd } from '#web/ui/kbd.tsx'

const SHORTCUTS = [
  [['/'], 'Search the list'],
  [['n'], 'New server'],
  [['g', 's'], 'Go to servers'],
  [['g', 'b'], 'Go to benefits'],
  [['g', 'd'], 'Go to downloads'],
  [['g', 't'], 'Go to settings'],
  [['Ctrl', 'K'], 'Find anything'],
  [['?'], 'This sheet'],
] as const

const FOR_ADMINS = [
  [['g', 'l'], 'Go to all servers'],
  [['g', 'u'], 'Go to users'],
  [['g', 'p'], 'Go to protection issues'],
  [['g', 'a'], 'Go to the audit log'],
] as const

const OR = 'or'

const IN_LISTS = [
  [['j', OR, '↓'], 'Next row'],
  [['k', OR, '↑'], 'Previous row'],
  [['x', OR, 'Space'], 'Select the row, where rows can be selected'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close the open row'],
] as const

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(hotkeysOn)
  const { data: me } = useQuery(meOptions)
  return (
    <Dialog title="Keyboard shortcuts" onDismiss={onClose}>
      <Keys keys={SHORTCUTS} />
      {me && isAdmin(me) && (
        <>
          <Caption>Administration</Caption>
          <Keys keys={FOR_ADMINS} />
          <Caption>In a table</Caption>
          <Keys keys={IN_LISTS} />
        </>
      )}
      <label className="mt-4 flex cursor-pointer items-center justify-between gap-3 rounded-6 bg-surface-2 px-3 py-2.5">
        <span className="text-13">Single-key shortcuts</span>
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says by itself whether it is on
          role="switch"
          className="switch"
          checked={on}
          onChange={(event) => {
            setHotkeys(event.target.checked)
            setOn(event.target.checked)
          }}
        />
      </label>
      <DialogActions>
        <Button data-focus-first onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Caption({ children }: { children: string }) {
  return <h3 className="mt-5 text-12 text-ink-3">{children}</h3>
}

function Keys({ keys: all }: { keys: readonly (readonly [keys: readonly string[], what: string])[] }) {
  return (
    <dl className="mt-2 first:mt-4">
      {all.map(([keys, what]) => (
        <div key={what} className="flex items-center justify-between border-t border-line py-2 first:border-t-0">
          <dt className="text-ink-2">{what}</dt>
          <dd className="flex gap-1">
            {keys.map((key) =>
              key === OR ? (
                <span key={key} className="px-0.5 text-12 text-ink-3">
                  or
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
