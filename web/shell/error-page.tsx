import { useRouter } from '@tanstack/react-router'
import { m } from '#messages'
import { HttpError, isConnectionError, messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

/** Texts from product.md section 2. */
export function ErrorPage({ error }: { error: unknown }) {
  useTitle(m.shell_error_title())
  const router = useRouter()
  const failedCall = error instanceof HttpError && error.requestId ? error : undefined
  return (
    <div role="alert" className="flex min-h-[70dvh] flex-col items-center justify-center px-6 py-16 text-center">
      <p className="font-mono text-13 text-danger">{error instanceof Error ? error.name : 'Error'}</p>
      <h1 className="mt-3 text-28 font-semibold tracking-[-0.02em] text-balance">{m.shell_error_heading()}</h1>
      <p className="mt-3 max-w-xl [overflow-wrap:anywhere] text-ink-2">{messageOf(error)}</p>
      {failedCall && <p className="mt-2 text-13 break-all text-ink-3">{m.shell_error_request({ id: String(failedCall.requestId) })}</p>}
      <div className="mt-7 flex flex-wrap justify-center gap-2">
        {isConnectionError(error) && (
          <Button variant="primary" onClick={() => void router.invalidate()}>
            {m.common_try_again()}
          </Button>
        )}
        {failedCall && <CopyButton text={failedCall.details} label={m.common_copy_details()} caption={m.common_copy_details()} />}
        {/* A plain link works even if the router is broken. */}
        <a href="/" className={buttonClass('secondary')}>
          {m.shell_error_home()}
        </a>
      </div>
    </div>
  )
}

export function NotFoundPage() {
  const error = new Error(m.shell_error_not_found({ path: location.pathname }))
  error.name = 'NotFoundError'
  return <ErrorPage error={error} />
}
