import { useRouter } from '@tanstack/react-router'
import { HttpError, isConnectionError, messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

/** Word for word from product.md section 2. */
export function ErrorPage({ error }: { error: unknown }) {
  useTitle('Error')
  const router = useRouter()
  const failedCall = error instanceof HttpError && error.requestId !== undefined ? error : undefined
  return (
    <div role="alert" className="flex min-h-[70dvh] flex-col items-center justify-center px-6 py-16 text-center">
      <p className="font-mono text-13 text-danger">{error instanceof Error ? error.name : 'Error'}</p>
      <h1 className="mt-3 text-28 font-semibold tracking-[-0.02em] text-balance">Whoops, something is wrong :(</h1>
      <p className="mt-3 max-w-xl [overflow-wrap:anywhere] text-ink-2">{messageOf(error)}</p>
      {failedCall && <p className="mt-2 text-13 break-all text-ink-3">Request {failedCall.requestId}</p>}
      <div className="mt-7 flex flex-wrap justify-center gap-2">
        {isConnectionError(error) && (
          <Button look="primary" onClick={() => void router.invalidate()}>
            Try again
          </Button>
        )}
        {failedCall && <CopyButton text={failedCall.details} label="Copy details" caption="Copy details" />}
        {/* A plain link: it works where the router is what broke. */}
        <a href="/" className={buttonClass('secondary')}>
          Go home
        </a>
      </div>
    </div>
  )
}

export function NotFoundPage() {
  const error = new Error(`There is no page at ${location.pathname}.`)
  error.name = 'NotFoundError'
  return <ErrorPage error={error} />
}
