import { type ReactNode, useEffect, useState } from 'react'
import { m } from '#messages'
import { LoginFrame } from './login-frame.tsx'
import type { ShownList } from './login-list.tsx'

interface LoginPageProps {
  /** Whether visitors can browse the list. */
  hasPublicSite: boolean
  /** Calls `show` with what the list is now, and again when it changes. Missing in the prerendered page. */
  onShowList?: (show: (list: ShownList) => void) => void
  /** Why the visitor was signed out. Missing in the prerendered page. */
  signOutReason?: string | undefined
  failure?: string | undefined
  onSignIn?: () => Promise<void>
}

export function LoginPage({ hasPublicSite, onShowList, signOutReason, failure, onSignIn }: LoginPageProps) {
  const [list, setList] = useState<ShownList>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(failure)
  useEffect(() => onShowList?.(setList), [onShowList])
  // The back button restores this page while it is busy.
  useEffect(() => {
    const resetBusy = () => setBusy(false)
    addEventListener('pageshow', resetBusy)
    return () => removeEventListener('pageshow', resetBusy)
  }, [])
  const signIn = () => {
    setBusy(true)
    setError(undefined)
    onSignIn?.().catch((reason: unknown) => {
      setBusy(false)
      setError(reason instanceof Error ? reason.message : m.login_start_failed())
    })
  }
  return (
    <LoginFrame aside={<ListPanel hasPublicSite={hasPublicSite}>{list?.panel}</ListPanel>}>
      <h1 className="mt-6 text-28 font-semibold tracking-[-0.02em]">Muster</h1>
      <p className="mt-2 text-16 text-pretty text-ink-2">{m.login_intro()}</p>
      <div role="status">
        {signOutReason !== undefined && (
          <p className="mt-5 rounded-6 border border-line bg-surface-2 px-3 py-2.5 text-13 text-ink-1">{signOutReason}</p>
        )}
      </div>
      <button
        type="button"
        onClick={busy ? undefined : signIn}
        aria-disabled={busy || undefined}
        className="mt-8 inline-flex min-h-11 w-full items-center justify-center gap-2.5 rounded-6 bg-accent px-4 text-16 font-medium text-on-accent transition-colors duration-100 hover:bg-accent-hover"
      >
        {/* `data-pressed`: pressed before this code loaded (shell/early-press.js). */}
        <span className={`spinner mx-0.5 ${busy ? '' : 'hidden in-data-pressed:inline-block'}`} aria-hidden="true" />
        {!busy && <DiscordMark />}
        <span className="in-data-local-sign-in:hidden">{m.login_sign_in()}</span>
        <span className="hidden in-data-local-sign-in:inline">{m.login_sign_in_local()}</span>
      </button>
      <div role="alert">{error !== undefined && <p className="mt-3 text-13 break-words text-danger">{error}</p>}</div>
      <p className="mt-3 hidden text-12 text-ink-3 in-data-local-sign-in:block">{m.common_local_sign_in()}</p>
      <div className="mt-6 text-13 text-ink-3 min-[1100px]:hidden">
        <p className="min-h-10 tabular-nums">{list?.sentence}</p>
        {hasPublicSite && <BrowseLink />}
      </div>
      <LazyLanguageMenu />
    </LoginFrame>
  )
}

/** Loaded later, because it is not needed for the first paint. Has its height from the start. */
function LazyLanguageMenu() {
  const [menu, setMenu] = useState<ReactNode>()
  useEffect(() => {
    const load = async () => {
      const { LanguageMenu } = await import('./login-language-menu.tsx')
      setMenu(<LanguageMenu />)
    }
    load().catch(() => {})
  }, [])
  return <div className="mt-6 min-h-24">{menu}</div>
}

/** Has the same height before and after its content loads. */
function ListPanel({ hasPublicSite, children }: { hasPublicSite: boolean; children: ReactNode }) {
  return (
    <section
      aria-labelledby="list"
      className="hidden h-[488px] w-[420px] rounded-10 border border-line bg-surface-1 p-6 min-[1100px]:block"
    >
      <div className="flex items-center justify-between gap-4">
        <h2 id="list" className="font-medium">
          {m.login_list_title()}
        </h2>
        {hasPublicSite && <BrowseLink />}
      </div>
      {children}
    </section>
  )
}

/** The backend removes it if there is no public site (platform/http/pages.ts). */
function BrowseLink() {
  return (
    <a href="/browse" className="inline-flex min-h-8 items-center text-13 text-accent hover:underline pointer-coarse:min-h-11">
      {m.login_browse()}
    </a>
  )
}

function DiscordMark() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="currentColor"
      className="in-data-pressed:hidden in-data-local-sign-in:hidden"
      aria-hidden="true"
    >
      <path d="M19.3 5.3A17 17 0 0 0 15 4l-.6 1.2a15.6 15.6 0 0 0-4.8 0L9 4a17 17 0 0 0-4.3 1.3C2 9.4 1.2 13.3 1.6 17.2A17.3 17.3 0 0 0 6.9 20l1.1-1.8c-.6-.2-1.2-.5-1.7-.9l.4-.3a12.3 12.3 0 0 0 10.6 0l.4.3c-.5.4-1.1.7-1.7.9L17.1 20a17.2 17.2 0 0 0 5.3-2.8c.5-4.5-.7-8.4-3.1-11.9ZM8.6 14.8c-1 0-1.9-1-1.9-2.1s.8-2.1 1.9-2.1 1.9 1 1.9 2.1-.8 2.1-1.9 2.1Zm6.8 0c-1 0-1.9-1-1.9-2.1s.8-2.1 1.9-2.1 1.9 1 1.9 2.1-.8 2.1-1.9 2.1Z" />
    </svg>
  )
}
