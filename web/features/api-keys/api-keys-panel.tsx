import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKeyWithSecret, MAX_API_KEYS } from '#contract/users/api-keys.ts'
import { m } from '#messages'
import { useNow } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, ListCard } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { LeaveGuard } from '#web/ui/dialog/leave-guard.tsx'
import { QueryPending, WarnNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { apiKeysOptions } from './api-keys.api.ts'
import { expiryOf } from './expiry.ts'
import { KeyRow } from './key-row.tsx'
import { NewKeyForm } from './new-key-form.tsx'

export function ApiKeysPanel() {
  const query = useQuery(apiKeysOptions)
  const now = useNow()
  const [created, setCreated] = useState<ApiKeyWithSecret>()
  const [isOpen, setOpen] = useState(false)
  const keys = query.data
  const count = keys?.filter((key) => expiryOf(key, now) !== 'expired').length ?? 0
  const isFull = count >= MAX_API_KEYS
  return (
    <div className="space-y-5">
      {created && <CreatedKey created={created} onDone={() => setCreated(undefined)} />}
      {isOpen && (
        <NewKeyForm
          onCreated={(key) => {
            setOpen(false)
            setCreated(key)
          }}
          onCancel={() => setOpen(false)}
        />
      )}
      <ListCard
        title={m.api_keys_title()}
        description={isFull ? m.api_keys_full({ max: MAX_API_KEYS }) : m.api_keys_hint({ count, max: MAX_API_KEYS })}
        aside={
          keys &&
          !isFull &&
          !isOpen &&
          !created && (
            <Button variant="primary" onClick={() => setOpen(true)} className="max-sm:w-full">
              {m.api_keys_create()}
            </Button>
          )
        }
      >
        {keys === undefined && (
          <div className="px-5 py-4">
            <QueryPending query={query}>
              <Skeleton className="h-20" />
            </QueryPending>
          </div>
        )}
        {keys?.length === 0 && (
          <div className="space-y-4 px-5 py-5">
            <p className="text-13 text-pretty text-ink-2">{m.api_keys_none()}</p>
            {!created && <CurlExample />}
          </div>
        )}
        {keys !== undefined && keys.length > 0 && (
          <ul className="divide-y divide-line">
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </ul>
        )}
      </ListCard>
    </div>
  )
}

/** Shows a new key, which is not shown again. Leaving the page needs confirmation. */
function CreatedKey({ created: { name, key, scopes }, onDone }: { created: ApiKeyWithSecret; onDone: () => void }) {
  return (
    <Card title={m.api_keys_created()} className="space-y-4">
      <WarnNote>
        <RichText message={m.api_keys_once} tags={{ name: () => <strong className="font-semibold">{name}</strong> }} />
      </WarnNote>
      <div className="flex items-center gap-2 rounded-6 border border-line bg-surface-0 py-1 pr-1 pl-3 max-sm:flex-col max-sm:items-stretch max-sm:p-3">
        <code data-secret className="min-w-0 flex-1 font-mono text-13 break-all select-all">
          {key}
        </code>
        <CopyButton text={key} label={m.api_keys_copy()} caption={m.api_keys_copy()} variant="primary" />
      </div>
      {scopes.includes('servers:read') && <CurlExample />}
      <Button onClick={onDone}>{m.api_keys_done()}</Button>
      <LeaveGuard title={m.api_keys_leave_title()} hint={m.api_keys_leave_hint()} stay={m.api_keys_stay()} />
    </Card>
  )
}

function CurlExample() {
  // The key comes from a variable, so that it stays out of the shell's history.
  const command = ['curl -H "Authorization: Bearer $MUSTER_API_KEY"', `  ${location.origin}/api/users/tokens`].join(' \\\n')
  return (
    <div>
      <h3 className="mb-1.5 text-13 font-medium">{m.api_keys_example()}</h3>
      <div className="flex items-start gap-1">
        <CodeBlock label={m.api_keys_example()} text={command} language="shell" />
        <CopyButton text={command} label={m.api_keys_example_copy()} />
      </div>
      <p className="mt-1.5 text-13 text-ink-3">
        <a href="/api/openapi.json" className="rounded-6 text-accent hover:underline">
          {m.api_keys_reference()}
        </a>
      </p>
    </div>
  )
}
