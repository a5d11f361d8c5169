import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, type ApiKeyWithSecret, MAX_API_KEYS } from '#contract/users/api-keys.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useNow } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { apiKeysOptions } from './api-keys.api.ts'
import { CreatedKey } from './created-key.tsx'
import { CurlExample } from './curl-example.tsx'
import { expiryOf } from './expiry.ts'
import { KeyList } from './key-list.tsx'
import { NewKeyForm } from './new-key-form.tsx'

export function ApiKeysPanel() {
  const { data: keys, error, refetch } = useQuery(apiKeysOptions)
  const [created, setCreated] = useState<ApiKeyWithSecret>()
  const [isOpen, setOpen] = useState(false)
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
      <section aria-labelledby="api-keys" className="card">
        <KeysHeader keys={keys} onCreate={isOpen || created ? undefined : () => setOpen(true)} />
        {keys === undefined && (
          <div className="border-t border-line px-5 py-4">
            {error ? <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote> : <Skeleton className="h-20" />}
          </div>
        )}
        {keys?.length === 0 && (
          <div className="space-y-4 border-t border-line px-5 py-5">
            <p className="text-13 text-pretty text-ink-2">{m.api_keys_none()}</p>
            {!created && <CurlExample />}
          </div>
        )}
        {keys !== undefined && keys.length > 0 && <KeyList keys={keys} />}
      </section>
    </div>
  )
}

interface KeysHeaderProps {
  keys: readonly ApiKey[] | undefined
  onCreate: (() => void) | undefined
}

function KeysHeader({ keys, onCreate }: KeysHeaderProps) {
  const now = useNow()
  const count = keys?.filter((key) => expiryOf(key, now) !== 'expired').length ?? 0
  const isFull = count >= MAX_API_KEYS
  return (
    <header className="flex flex-wrap items-center justify-between gap-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <h2 id="api-keys" tabIndex={-1} className="font-medium outline-none">
          {m.api_keys_title()}
        </h2>
        <p className="mt-0.5 text-13 text-pretty text-ink-2">
          {isFull ? m.api_keys_full({ max: MAX_API_KEYS }) : m.api_keys_hint({ count, max: MAX_API_KEYS })}
        </p>
      </div>
      {onCreate && keys && !isFull && (
        <Button variant="primary" onClick={onCreate} className="max-sm:w-full">
          {m.api_keys_create()}
        </Button>
      )}
    </header>
  )
}
