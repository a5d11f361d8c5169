import { useEffect, useState } from 'react'
import { m } from '#messages'
import { LoginFrame } from './login-frame.tsx'

/** @param completeSignIn signs in and leaves the page. Its errors have messages for users. */
export function LoginCallbackPage({ completeSignIn }: { completeSignIn: () => Promise<void> }) {
  const [error, setError] = useState<string>()
  useEffect(() => {
    completeSignIn().catch((reason: unknown) => setError(reason instanceof Error ? reason.message : m.login_callback_failed()))
  }, [completeSignIn])
  return (
    <LoginFrame>
      {error === undefined ? (
        <p role="status" className="mt-6 flex items-center gap-3 text-16 text-ink-2">
          <span className="spinner" aria-hidden="true" />
          {m.login_callback_busy()}
        </p>
      ) : (
        <div role="alert">
          <h1 className="mt-6 text-20 font-semibold">{m.login_callback_heading()}</h1>
          <p className="mt-2 break-words text-ink-2">{error}</p>
          <a
            href="/login"
            className="mt-6 inline-flex min-h-11 w-full items-center justify-center rounded-6 bg-accent px-4 text-16 font-medium text-on-accent hover:bg-accent-hover"
          >
            {m.common_try_again()}
          </a>
        </div>
      )}
    </LoginFrame>
  )
}
