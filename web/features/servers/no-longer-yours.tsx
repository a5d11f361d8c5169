import { Link } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { useEffect } from 'react'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'

/** The server went while its page was open: somebody accepted it, or it was deleted in another window. No error, only something to know. */
export function NoLongerYours({ name }: { name: string }) {
  useTitle('No longer your server')
  useEffect(() => {
    // What had the focus is gone with the page.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [])
  return (
    <div role="status" className="flex min-h-[60dvh] flex-col items-center justify-center py-12 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-surface-2 text-ink-2">
        <DoorOpen size={22} aria-hidden="true" />
      </span>
      <h1 tabIndex={-1} className="mt-5 text-20 font-semibold tracking-[-0.01em] text-balance outline-none">
        This server is no longer yours
      </h1>
      <p className="mt-2 max-w-md [overflow-wrap:anywhere] text-pretty text-ink-2">
        {name} has another owner now, or it was deleted. Your activity says which, and when.
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        <Link to="/settings/activity" className={buttonClass('secondary')}>
          See the activity
        </Link>
        <Link to="/servers" activeOptions={{ exact: true }} className={buttonClass('primary')}>
          To your servers
        </Link>
      </div>
    </div>
  )
}
