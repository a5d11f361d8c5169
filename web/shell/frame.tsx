import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { CloudOff, RefreshCw } from 'lucide-react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { useHasDownloads } from '#web/features/about/use-has-downloads.ts'
import { startLiveUpdates } from '#web/features/live/live-updates.ts'
import { isAdmin } from '#web/features/session/session.api.ts'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import { useConnection } from '#web/features/live/connection.ts'
import { exactTime, useNow } from '#web/lib/time.ts'
import { useHasNewVersion } from '#web/lib/http/version-check.ts'
import { cx } from '#web/ui/class-names.ts'
import { Navigation, ADMIN_PAGE_KEYS, PAGE_KEYS } from './navigation.tsx'

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
      <a
        href="#main"
        className="sr-only rounded-6 bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {m.shell_skip()}
      </a>
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

const OFFLINE_DELAY_MS = 500

/** About the page as a whole. Below the page, so that nothing on it moves when it appears. */
function Bar({ tint, children }: { tint: string; children: ReactNode }) {
  return (
    <div role="status" className={cx('flex shrink-0 items-center justify-center gap-2 border-t border-line px-4 py-2 text-13', tint)}>
      {children}
    </div>
  )
}

function NewVersionBar() {
  if (!useHasNewVersion()) return null
  return (
    <Bar tint="bg-surface-2">
      <RefreshCw size={15} className="shrink-0 text-ink-3" aria-hidden="true" />
      <span>{m.shell_new_version()}</span>
      <button
        type="button"
        onClick={() => location.reload()}
        className="min-h-6 rounded-6 font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        {m.shell_new_version_reload()}
      </button>
    </Bar>
  )
}

/** Warns that the data may be stale, and counts down to the next retry. */
function OfflineBar() {
  const connection = useConnection()
  const now = useNow()
  if (connection.state === 'open' || now - connection.since < OFFLINE_DELAY_MS) return null
  const seconds = Math.max(1, Math.ceil((connection.retryAt - now) / 1000))
  return (
    <Bar tint="tint-warn">
      <CloudOff size={15} className="shrink-0 text-warn" aria-hidden="true" />
      <span>
        {navigator.onLine ? m.shell_offline_server({ brand: brand.name }) : m.shell_offline_browser()}
        <span className="text-ink-2">
          {m.shell_offline_since({ time: exactTime(new Date(connection.since).toISOString()) })}
          <span aria-hidden="true">{navigator.onLine && m.shell_offline_retry({ seconds })}</span>.
        </span>
      </span>
    </Bar>
  )
}

/** How long the content of a page may take to appear. */
const MAX_WAIT_MS = 1000

function focusTitle(main: HTMLElement): void {
  if (main.contains(document.activeElement) && document.activeElement !== main) return
  const title = main.querySelector<HTMLElement>('h1[tabindex]') ?? main
  title.focus({ preventScroll: true })
}

function focusElement(target: HTMLElement): void {
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.scrollIntoView()
  target.focus({ preventScroll: true })
}

/** Looks for the element in each frame until it is rendered. Returns a function that stops it. */
function scrollToHash(main: HTMLElement, id: string, onMissing: () => void): () => void {
  const deadline = performance.now() + MAX_WAIT_MS
  let frame = 0
  const run = () => {
    const target = main.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
    if (target) focusElement(target)
    else if (performance.now() < deadline) frame = requestAnimationFrame(run)
    else onMissing()
  }
  run()
  return () => cancelAnimationFrame(frame)
}

/** Focuses what the hash names, or the title of another page, for screen readers. The router scrolls, apart from hashes of what loads later. */
function useRouteFocus(main: RefObject<HTMLElement | null>): void {
  const location = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation })
  const path = location?.pathname
  const hash = location?.hash ?? ''
  // Changes with each click on a link with the same hash, so that it scrolls again.
  const key = hash && location?.state.__TSR_key
  const previousPath = useRef(path)
  useEffect(() => {
    const page = main.current
    if (!page) return undefined
    const hasPathChanged = previousPath.current !== undefined && path !== previousPath.current
    previousPath.current = path
    if (hash === '') {
      if (hasPathChanged) focusTitle(page)
      return undefined
    }
    return scrollToHash(page, hash, () => {
      if (!hasPathChanged) return
      page.scrollTop = 0
      focusTitle(page)
    })
  }, [main, path, hash, key])
}
