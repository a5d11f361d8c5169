import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { useHasDownloads } from '#web/features/about/use-has-downloads.ts'
import { startLiveUpdates } from '#web/features/live/live-updates.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import { Navigation } from './navigation.tsx'
import { ADMIN_PAGE_KEYS, PAGE_KEYS } from './page-keys.ts'
import { useRouteFocus } from './use-route-focus.ts'
import { NewVersionBar, OfflineBar } from './status-bars.tsx'

const CommandPalette = lazy(() => import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })))
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx').then((module) => ({ default: module.ShortcutSheet })))

type Overlay = 'palette' | 'shortcuts'

export function Frame({ me }: { me: Me }) {
  const [open, setOpen] = useState<Overlay>()
  const main = useRef<HTMLElement>(null)
  const client = useQueryClient()
  useEffect(() => startLiveUpdates(client, me.id), [client, me.id])
  useRouteFocus(main)
  const close = () => setOpen(undefined)
  // Keys that are typed while the palette loads run nothing.
  useFrameHotkeys(me, setOpen, open !== undefined)
  return (
    <div className="flex h-dvh flex-col sm:flex-row print:block print:h-auto">
      <SkipLink />
      <Navigation me={me} onShortcuts={() => setOpen('shortcuts')} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col print:block">
        <main
          id="main"
          data-scroll-restoration-id="main"
          ref={main}
          tabIndex={-1}
          // An open side panel narrows the page.
          className="relative min-h-0 flex-1 overflow-y-auto outline-none min-[64rem]:has-data-side-panel:mr-105 print:m-0! print:overflow-visible"
        >
          <div className="mx-auto min-h-full w-full max-w-[1200px] px-4 pt-6 pb-12 max-sm:has-data-save-bar:pb-0 max-sm:has-data-bottom-tabs:flex max-sm:has-data-bottom-tabs:flex-col max-sm:has-data-bottom-tabs:pb-0 sm:px-8 sm:pt-8 print:max-w-none print:p-0">
            <Outlet />
          </div>
        </main>
        <NewVersionBar />
        <OfflineBar />
      </div>
      <Suspense>
        {open === 'palette' && <CommandPalette onClose={close} />}
        {open === 'shortcuts' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </div>
  )
}

function useFrameHotkeys(me: Me, show: (overlay: Overlay) => void, isOff: boolean): void {
  const navigate = useNavigate()
  const hasDownloads = useHasDownloads()
  const pages = [...PAGE_KEYS.filter(({ to }) => to !== '/downloads' || hasDownloads), ...(isAdmin(me) ? ADMIN_PAGE_KEYS : [])]
  useHotkeys(
    isOff
      ? {}
      : {
          '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
          ...Object.fromEntries(pages.map(({ keys, to }) => [keys, () => void navigate({ to })])),
          '?': () => show('shortcuts'),
          'mod+k': () => show('palette'),
        },
  )
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
