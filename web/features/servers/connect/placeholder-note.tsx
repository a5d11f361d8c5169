import type { ReactNode } from 'react'
import type { m } from '#messages'
import { RichText } from '#web/ui/rich-text.tsx'
import { PLACEHOLDER } from './snippets.ts'

/** What to write instead of the placeholder. @param action such as a button that reissues the credential */
export function PlaceholderNote({ message, action }: { message: typeof m.servers_connect_placeholder; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
      <p className="min-w-0 flex-1 basis-64">
        <RichText message={message} tags={{ placeholder: () => <code className="font-mono text-ink-1">{PLACEHOLDER}</code> }} />
      </p>
      {action}
    </div>
  )
}
