import { useSuspenseQuery } from '@tanstack/react-query'
import { DoorOpen } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { meOptions } from '#web/features/session/session.api.ts'
import { dropDraft, readDraft } from '#web/lib/drafts.ts'
import { useLostFocus } from '#web/lib/use-lost-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'

interface NoLongerProps {
  title: string
  /** Whose page was open, maybe with a form in it. */
  serverId?: string | undefined
  actions: ReactNode
  children: ReactNode
}

/** A server that one may not look at (any more), in place of its page: no error, only something to know. */
export function NoLonger({ title, serverId, actions, children }: NoLongerProps) {
  const heading = useLostFocus<HTMLHeadingElement>()
  const isUnsaved = useLostDraft(serverId)
  useTitle(title)
  return (
    <div role="status" className="flex min-h-[60dvh] flex-col items-center justify-center py-12 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-surface-2 text-ink-2">
        <DoorOpen size={22} aria-hidden="true" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="mt-5 text-20 font-semibold tracking-[-0.01em] text-balance outline-none">
        {title}
      </h1>
      <p className="mt-2 max-w-md [overflow-wrap:anywhere] text-pretty text-ink-2">
        {children}
        {isUnsaved && ' What you had typed was not saved.'}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">{actions}</div>
    </div>
  )
}

/** Whether something typed into the listing goes with the page. It has nowhere to come back to. */
function useLostDraft(serverId: string | undefined): boolean {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = serverId === undefined ? undefined : `${me.id}.listing.${serverId}`
  const [isThere] = useState(() => key !== undefined && readDraft(key) !== undefined)
  useEffect(() => {
    if (key !== undefined) dropDraft(key)
  }, [key])
  return isThere
}
