import { messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'

/** Whatever went wrong on the way to a page or on it (product.md section 2, word for word). */
export function ErrorPage({ error }: { error: unknown }) {
  useTitle('Error')
  return (
    <div role="alert" className="flex min-h-full flex-col items-center justify-center px-6 py-16 text-center">
      <p className="font-mono text-13 text-danger">{error instanceof Error ? error.name : 'Error'}</p>
      <h1 className="mt-3 text-28 font-semibold tracking-[-0.02em] text-balance">Whoops, something is wrong :(</h1>
      <p className="mt-3 max-w-xl break-words text-ink-2">{messageOf(error)}</p>
      {/* A plain link: it begins anew, also where the part that would navigate is what broke. */}
      <a href="/" className={buttonClass('secondary', 'mt-7')}>
        Go home
      </a>
    </div>
  )
}

/** An address that leads nowhere. */
export function NotFoundPage() {
  const error = new Error(`There is no page at ${location.pathname}.`)
  error.name = 'NotFoundError'
  return <ErrorPage error={error} />
}
