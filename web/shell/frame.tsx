import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Me } from '#contract/users.ts'
import { useLiveServers } from '#web/features/servers/live.ts'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'

const CommandPalette = lazy(() => import('./command-palette.tsx').then((part) => ({ default: part.CommandPalette })))
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx').then((part) => ({ default: part.ShortcutSheet })))

/** Another page begins at its top, and its title has the focus (so it is read out) where nothing in it took the focus itself. */
function enter(main: HTMLElement): void {
  main.scrollTop = 0
  if (main.contains(document.activeElement) && document.activeElement !== main) return
  const title = main.querySelector<HTMLElement>('h1[tabindex]') ?? main
  title.focus({ preventScroll: true })
}

/** The rail beside the page. */
export function Frame({ me }: { me: Me }) {
  const [open, setOpen] = useState<'palette' | 'shortcuts'>()
  const navigate = useNavigate()
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useLiveServers(useQueryClient())
  const pathBefore = useRef(path)
  useEffect(() => {
    if (!main.current || path === pathBefore.current) return
    if (pathBefore.current !== undefined) enter(main.current)
    pathBefore.current = path
  }, [path])
  useHotkeys({
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    n: () => void navigate({ to: '/servers/new' }),
    'g s': () => void navigate({ to: '/servers' }),
    'g t': () => void navigate({ to: '/settings' }),
    '?': () => setOpen('shortcuts'),
    'mod+k': () => setOpen('palette'),
  })
  const close = () => setOpen(undefined)
  return (
    <div className="flex h-dvh flex-col sm:flex-row">
      <a
        href="#main"
        className="sr-only rounded-6 bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to the page
      </a>
      <Navigation me={me} onShortcuts={() => setOpen('shortcuts')} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <OfflineBanner />
        <main id="main" ref={main} tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
          <div className="mx-auto min-h-full w-full max-w-[1200px] px-4 pt-6 pb-12 sm:px-8 sm:pt-8">
            <Outlet />
          </div>
        </main>
      </div>
      <Suspense>
        {open === 'palette' && <CommandPalette onClose={close} />}
        {open === 'shortcuts' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </div>
  )
}
