import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { useHasDownloads } from '#web/features/about/use-has-downloads.ts'
import { useLiveUpdates } from '#web/features/live/use-live-updates.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import { AfterFirstPage } from '#web/ui/after-first-page.tsx'
import { DialogFallback, lazyComponent } from '#web/ui/lazy-component.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Navigation } from './navigation.tsx'
import { useKeepScroll, useRouteFocus } from './use-route-focus.ts'

type Overlay = 'palette' | 'shortcuts'

const ShortcutSheet = lazyComponent(() => import('./shortcut-sheet.tsx').then((module) => module.ShortcutSheet), DialogFallback)

const StatusBars = lazyComponent(
  () => import('./status-bars.tsx').then((module) => module.StatusBars),
  () => null,
)

export function Frame({ me }: { me: Me }) {
  const [open, setOpen] = useState<Overlay>()
  const main = useRef<HTMLElement>(null)
  useKeepScroll(main)
  useRouteFocus(main)
  const close = () => setOpen(undefined)
  const show = (overlay: Overlay) => {
    // Retries if loading failed before.
    void ShortcutSheet.preload()
    setOpen(overlay)
  }
  useFrameHotkeys(me, show)
  return (
    <div className="flex h-dvh flex-col sm:flex-row print:block print:h-auto">
      <SkipLink />
      <Navigation me={me} onShortcuts={() => show('shortcuts')} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col print:block">
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          // An open side panel narrows the page.
          className="relative min-h-0 flex-1 overflow-y-auto outline-none min-[64rem]:has-data-side-panel:mr-105 print:m-0! print:overflow-visible"
        >
          <div className="mx-auto min-h-full w-full max-w-[1200px] px-4 pt-6 pb-12 max-sm:has-data-save-bar:pb-0 sm:px-8 sm:pt-8 print:max-w-none print:p-0">
            <Outlet />
          </div>
        </main>
        <AfterFirstPage>
          <StatusBars />
        </AfterFirstPage>
        <AfterFirstPage>
          <LiveUpdates userId={me.id} />
        </AfterFirstPage>
      </div>
      {open === 'palette' && <CommandPalette onClose={close} />}
      <Suspense>{open === 'shortcuts' && <ShortcutSheet onClose={close} />}</Suspense>
    </div>
  )
}

function LiveUpdates({ userId }: { userId: string }) {
  useLiveUpdates(useQueryClient(), userId)
  return null
}

function useFrameHotkeys(me: Me, show: (overlay: Overlay) => void): void {
  const navigate = useNavigate()
  const hasDownloads = useHasDownloads()
  useHotkeys({
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    n: () => void navigate({ to: '/servers/new' }),
    'g s': () => void navigate({ to: '/servers' }),
    'g i': () => void navigate({ to: '/inbox' }),
    'g b': () => void navigate({ to: '/benefits' }),
    'g t': () => void navigate({ to: '/settings' }),
    ...(hasDownloads && { 'g d': () => void navigate({ to: '/downloads' }) }),
    ...(isAdmin(me) && {
      'g a': () => void navigate({ to: '/admin/audit' }),
      'g l': () => void navigate({ to: '/admin/servers' }),
      'g p': () => void navigate({ to: '/admin/protection-issues' }),
      'g u': () => void navigate({ to: '/admin/users' }),
    }),
    '?': () => show('shortcuts'),
    'mod+k': () => show('palette'),
  })
}

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
