import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import type { Me } from '#contract/users.ts'
import { m } from '#messages'
import { useConnection } from '#web/features/live/connection.ts'
import { useLiveUpdates } from '#web/features/live/use-live-updates.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import { exactTime, useNow } from '#web/lib/time.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogFallback, lazyComponent } from '#web/ui/lazy-component.tsx'
import { Navigation } from './navigation.tsx'
import { useRouteFocus } from './use-route-focus.ts'

const OVERLAYS = {
  palette: lazyComponent(() => import('./command-palette.tsx').then((module) => module.CommandPalette), DialogFallback),
  shortcuts: lazyComponent(() => import('./shortcut-sheet.tsx').then((module) => module.ShortcutSheet), DialogFallback),
}

export function Frame({ me }: { me: Me }) {
  const [open, setOpen] = useState<keyof typeof OVERLAYS>()
  const navigate = useNavigate()
  const main = useRef<HTMLElement>(null)
  useLiveUpdates(useQueryClient(), me.id)
  useRouteFocus(main)
  const close = () => setOpen(undefined)
  const Overlay = open && OVERLAYS[open]
  const show = (overlay: keyof typeof OVERLAYS) => {
    // Retries if loading failed before.
    void OVERLAYS[overlay].preload()
    setOpen(overlay)
  }
  useHotkeys({
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    n: () => void navigate({ to: '/servers/new' }),
    'g s': () => void navigate({ to: '/servers' }),
    'g b': () => void navigate({ to: '/benefits' }),
    'g d': () => void navigate({ to: '/downloads' }),
    'g t': () => void navigate({ to: '/settings' }),
    ...(isAdmin(me) && {
      'g a': () => void navigate({ to: '/admin/audit' }),
      'g l': () => void navigate({ to: '/admin/servers' }),
      'g p': () => void navigate({ to: '/admin/protection-issues' }),
      'g u': () => void navigate({ to: '/admin/users' }),
    }),
    '?': () => show('shortcuts'),
    'mod+k': () => show('palette'),
  })
  return (
    <div className="flex h-dvh flex-col sm:flex-row">
      <SkipLink />
      <Navigation me={me} onShortcuts={() => show('shortcuts')} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <OfflineBanner />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          // An open side panel narrows the page.
          className="relative min-h-0 flex-1 overflow-y-auto outline-none min-[64rem]:has-data-side-panel:mr-105"
        >
          <div className="mx-auto min-h-full w-full max-w-[1200px] px-4 pt-6 pb-12 max-sm:has-data-save-bar:pb-0 sm:px-8 sm:pt-8">
            <Outlet />
          </div>
        </main>
      </div>
      <Suspense
        fallback={
          // The palette starts with the text typed here.
          open === 'palette' && (
            <Dialog title={m.shell_find()} onDismiss={close}>
              <input data-focus-first title={m.shell_find()} className="field-input" />
            </Dialog>
          )
        }
      >
        {Overlay && <Overlay onClose={close} />}
      </Suspense>
    </div>
  )
}

const BANNER_DELAY_MS = 500

function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only rounded-6 bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
    >
      {m.shell_skip()}
    </a>
  )
}

/** Warns that the data may be stale, and counts down to the next retry. */
function OfflineBanner() {
  const connection = useConnection()
  const now = useNow()
  if (connection.state === 'open' || now - connection.since < BANNER_DELAY_MS) return null
  const seconds = Math.max(1, Math.ceil((connection.retryAt - now) / 1000))
  return (
    <div role="status" className="flex items-center justify-center gap-2 border-b border-line tint-warn px-4 py-2 text-13">
      <CloudOff size={15} className="shrink-0 text-warn" aria-hidden="true" />
      <span>
        {navigator.onLine ? m.shell_offline_server() : m.shell_offline_browser()}
        <span className="text-ink-2">
          {m.shell_offline_since({ time: exactTime(new Date(connection.since).toISOString()) })}
          <span aria-hidden="true">{navigator.onLine && m.shell_offline_retry({ seconds })}</span>.
        </span>
      </span>
    </div>
  )
}
