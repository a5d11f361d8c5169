import { useId } from 'react'
import type { ApiKeyWithSecret } from '#contract/users/api-keys.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { LeaveGuard } from '#web/ui/dialog/leave-guard.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { CurlExample } from './curl-example.tsx'

/** Shows a new key, which is not shown again. Leaving the page needs confirmation. */
export function CreatedKey({ created, onDone }: { created: ApiKeyWithSecret; onDone: () => void }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="card space-y-4 p-5">
      <h2 id={titleId} tabIndex={-1} className="font-medium outline-none">
        {m.api_keys_created()}
      </h2>
      <WarnNote>
        <RichText message={m.api_keys_once} tags={{ name: () => <strong className="font-semibold">{created.name}</strong> }} />
      </WarnNote>
      <div className="flex items-center gap-2 rounded-6 border border-line bg-surface-0 py-1 pr-1 pl-3 max-sm:flex-col max-sm:items-stretch max-sm:p-3">
        <code data-secret className="min-w-0 flex-1 font-mono text-13 break-all select-all">
          {created.key}
        </code>
        <CopyButton text={created.key} label={m.api_keys_copy()} caption={m.api_keys_copy()} variant="primary" />
      </div>
      {created.scopes.includes('servers:read') && <CurlExample />}
      <Button onClick={onDone}>{m.api_keys_done()}</Button>
      <LeaveGuard title={m.api_keys_leave_title()} hint={m.api_keys_leave_hint()} stay={m.api_keys_stay()} />
    </section>
  )
}
