import { useEffect, useState, useSyncExternalStore } from 'react'
import type { About } from '#contract/about.ts'
import { BrandMark } from '#web/ui/brand.tsx'

interface LoginPageProps {
  /** Missing while the build renders the page. */
  about?: Promise<About | undefined>
  /** Why the visitor was signed out. */
  farewell?: string | undefined
  failure?: string | undefined
  onSignIn?: () => Promise<void>
}

const never = () => () => {}
const unknown = () => undefined

export function LoginPage({ about, farewell, failure, onSignIn }: LoginPageProps) {
  const [known, setKnown] = useState<About>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(failure)
  // The build renders the page without it.
  const said = useSyncExternalStore(never, () => farewell, unknown)
  useEffect(() => void about?.then(setKnown), [about])
  // The browser's back button shows this page as it was left.
  useEffect(() => {
    const back = () => setBusy(false)
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])
  const signIn = () => {
    setBusy(true)
    setError(undefined)
    onSignIn?.().catch((reason: unknown) => {
      setBusy(false)
      setError(reason instanceof Error ? reason.message : 'The sign-in could not be started.')
    })
  }
  return (
    <LoginFrame>
      <h1 className="mt-6 text-28 font-semibold tracking-[-0.02em]">Muster</h1>
      <p className="mt-2 text-16 text-pretty text-ink-2">Register your game server, put it on the public list, and keep an eye on it.</p>
      <div role="status">
        {said !== undefined && <p className="mt-5 rounded-6 border border-line bg-surface-2 px-3 py-2.5 text-13 text-ink-1">{said}</p>}
      </div>
      <button
        type="button"
        onClick={busy ? undefined : signIn}
        aria-disabled={busy || undefined}
        className="mt-8 inline-flex min-h-11 w-full items-center justify-center gap-2.5 rounded-6 bg-accent px-4 text-16 font-medium text-on-accent transition-colors duration-100 hover:bg-accent-hover"
      >
        {/* `data-pressed`: pressed before this code had come (shell/early-press.js). */}
        <span className={`spinner mx-0.5 ${busy ? '' : 'hidden in-data-pressed:inline-block'}`} aria-hidden="true" />
        {!busy && <DiscordMark />}
        Sign in with Discord
      </button>
      <div role="alert">{error !== undefined && <p className="mt-3 text-13 break-words text-danger">{error}</p>}</div>
      <p className="mt-6 min-h-10 text-13 text-ink-3 tabular-nums">{known && <OnTheList about={known} />}</p>
      {known?.local_identity && <p className="text-12 text-ink-3">Local sign-in: no Discord is configured</p>}
    </LoginFrame>
  )
}

/** @param finish signs in and leaves the page; fails with a sentence for people. */
export function LoginCallbackPage({ finish }: { finish: () => Promise<void> }) {
  const [error, setError] = useState<string>()
  useEffect(() => {
    finish().catch((reason: unknown) => setError(reason instanceof Error ? reason.message : 'The sign-in failed.'))
  }, [finish])
  return (
    <LoginFrame>
      {error === undefined ? (
        <p role="status" className="mt-6 flex items-center gap-3 text-16 text-ink-2">
          <span className="spinner" aria-hidden="true" />
          Signing you in…
        </p>
      ) : (
        <div role="alert">
          <h1 className="mt-6 text-20 font-semibold">You are not signed in</h1>
          <p className="mt-2 break-words text-ink-2">{error}</p>
          <a
            href="/login"
            className="mt-6 inline-flex min-h-11 w-full items-center justify-center rounded-6 bg-accent px-4 text-16 font-medium text-on-accent hover:bg-accent-hover"
          >
            Try again
          </a>
        </div>
      )}
    </LoginFrame>
  )
}

function LoginFrame({ children }: { children: React.ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-10">
      <div className="w-full max-w-[340px]">
        <BrandMark size={44} />
        {children}
      </div>
    </main>
  )
}

function OnTheList({ about }: { about: About }) {
  const count = (value: number, one: string) => `${value.toLocaleString('en')} ${one}${value === 1 ? '' : 's'}`
  if (about.servers_online === 0) return <>No server is on the list right now.</>
  return (
    <span className="inline-flex items-center gap-2">
      <span className="size-2 shrink-0 rounded-full bg-ok" aria-hidden="true" />
      {count(about.servers_online, 'server')} and {count(about.players_online, 'player')} on the list right now
    </span>
  )
}

function DiscordMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 24 24" fill="currentColor" className="in-data-pressed:hidden" aria-hidden="true">
      <path d="M19.3 5.3A17 17 0 0 0 15 4l-.6 1.2a15.6 15.6 0 0 0-4.800 0L9 4a17 17 0 0 0-4.300 1.300C2 9.400 1.200 13.300 1.600 17.200A17.3 17.300 0 0 0 6.900 20l1.100-1.800c-.6-.2-1.200-.5-1.700-.9l.4-.3a12.300 12.300 0 0 0 10.600 0l.4.300c-.5.400-1.100.700-1.700.9L17.100 20a17.200 17.200 0 0 0 5.300-2.800c.5-4.500-.7-8.400-3.100-11.900ZM8.600 14.800c-1 0-1.900-1-1.900-2.100s.8-2.100 1.900-2.100 1.900 1 1.900 2.100-.8 2.100-1.900 2.100Zm6.800 0c-1 0-1.900-1-1.900-2.100s.8-2.100 1.900-2.100 1.900 1 1.900 2.100-.8 2.100-1.900 2.100Z" />
    </svg>
  )
}
