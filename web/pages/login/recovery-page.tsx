/** The page of a recovery link. It signs in only on a click, so that no preview of the link uses it up. */
import { useMutation } from '@tanstack/react-query'
import { m } from '#messages'
import { call, messageOf } from '#web/lib/http/call.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { LoginFrame, loginButtonClass } from './login-frame.tsx'

export function RecoveryPage() {
  useTitle(m.login_recovery_title())
  // After `#`, so that no server or proxy on the way sees it.
  const token = location.hash.slice(1)
  const { mutate, status, error } = useMutation({
    mutationFn: () => call('POST /api/auth/recovery', { body: { token } }),
    // There the user links a way to sign in that works.
    onSuccess: () => location.replace('/settings/profile'),
  })
  const isBusy = status === 'pending' || status === 'success'
  return (
    <LoginFrame>
      <h1 className="mt-6 text-20 font-semibold">{m.login_recovery_title()}</h1>
      <p className="mt-2 text-pretty text-ink-2">{token === '' ? m.login_recovery_incomplete() : m.login_recovery_hint()}</p>
      {token !== '' && (
        <button
          type="button"
          onClick={isBusy ? undefined : () => mutate()}
          aria-disabled={isBusy || undefined}
          className={loginButtonClass('mt-6')}
        >
          {isBusy && <span className="spinner mx-0.5" aria-hidden="true" />}
          {m.login_sign_in_local()}
        </button>
      )}
      <div role="alert">{error && <p className="mt-3 text-13 break-words text-danger">{messageOf(error)}</p>}</div>
      <a href="/login" className="mt-6 inline-flex min-h-8 items-center text-13 text-accent hover:underline pointer-coarse:min-h-11">
        {m.login_recovery_other()}
      </a>
    </LoginFrame>
  )
}
