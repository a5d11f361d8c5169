import { useEffect, useState } from 'react'
import { LoginFrame } from './login-page.tsx'

interface LoginCallbackPageProps {
  /** Signs in and leaves the page; fails with a sentence for people. */
  finish: () => Promise<void>
}

export function LoginCallbackPage({ finish }: LoginCallbackPageProps) {
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
