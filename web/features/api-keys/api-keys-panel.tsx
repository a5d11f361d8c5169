import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type ApiKey, type ApiKeyWithSecret, MAX_API_KEYS } from '#contract/users/api-keys.ts'
import { SCOPES } from '#contract/users/scopes.ts'
import { m } from '#messages'
import { DAY_MS, exactTime, formatTime, useNow } from '#web/lib/time.ts'
import { Button, CopyButton } from '#web/ui/button.tsx'
import { Card, ListCard } from '#web/ui/card.tsx'
import { cx } from '#web/ui/class-names.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { ConfirmButton, LeaveGuard } from '#web/ui/dialog/confirm-dialog.tsx'
import { QueryPending, Skeleton, WarnNote } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { apiKeysOptions, useRevokeApiKey } from './api-keys.api.ts'
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

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { name, prefix, scopes, created_at, last_used_at } = apiKey
  const revoke = useRevokeApiKey()
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-start sm:justify-between sm:gap-5">
      <div className="min-w-0 space-y-2">
        <div>
          <h3 className="font-medium [overflow-wrap:anywhere]">{name}</h3>
          <code className="font-mono text-12 text-ink-3">{prefix}_…</code>
        </div>
        <ul aria-label={m.api_keys_scopes_of({ name })} className="flex flex-wrap gap-1.5">
          {scopes.map((scope) => (
            <li
              key={scope}
              data-tip={SCOPES[scope].hint()}
              className="inline-flex h-6 items-center rounded-6 border border-line px-1.5 text-12 text-ink-2"
            >
              {SCOPES[scope].title()}
            </li>
          ))}
        </ul>
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-13 text-ink-3">
          <ExpiryText apiKey={apiKey} />
          <span>
            {last_used_at === null ? (
              m.api_keys_never_used()
            ) : (
              <RichText message={m.api_keys_last_used} tags={{ time: () => <TimeAgo at={last_used_at} /> }} />
            )}
          </span>
          <span>
            <RichText message={m.api_keys_created_at} tags={{ time: () => <TimeAgo at={created_at} /> }} />
          </span>
        </p>
      </div>
      <ConfirmButton
        trigger={
          <Button className="shrink-0" aria-label={m.api_keys_revoke_named({ name })}>
            {m.api_keys_revoke()}
          </Button>
        }
        title={m.api_keys_revoke_title({ name })}
        confirm={m.api_keys_revoke_confirm()}
        danger
        mutation={revoke}
        onConfirm={async () => {
          await revoke.mutateAsync(apiKey)
          toastSuccess(m.api_keys_revoked(), name)
        }}
      >
        <p>{m.api_keys_revoke_hint()}</p>
      </ConfirmButton>
    </li>
  )
}

const EXPIRY: Readonly<Record<Expiry, { message: typeof m.api_keys_expires; color: string }>> = {
  later: { message: m.api_keys_expires, color: '' },
  soon: { message: m.api_keys_expires_soon, color: 'text-warn' },
  expired: { message: m.api_keys_expired, color: 'text-danger' },
}

function ExpiryText({ apiKey }: { apiKey: ApiKey }) {
  const { expires_at: at } = apiKey
  const expiry = expiryOf(apiKey, useNow())
  const { message, color } = EXPIRY[expiry]
  // A distant day is clearer as a date than as a number of months.
  const day = () => (
    <time dateTime={at} data-tip={exactTime(at)}>
      {formatTime(at, 'date')}
    </time>
  )
  return (
    <span className={cx('inline-flex items-center gap-1', color)}>
      {expiry !== 'later' && <TriangleAlert size={13} className="shrink-0" aria-hidden="true" />}
      <span>
        <RichText message={message} tags={{ time: expiry === 'later' ? day : () => <TimeAgo at={at} /> }} />
      </span>
    </span>
  )
}

const SOON_MS = 7 * DAY_MS

type Expiry = 'later' | 'soon' | 'expired'

/** `soon` in the last seven days. @param now milliseconds since 1970. */
export function expiryOf({ expires_at }: Pick<ApiKey, 'expires_at'>, now: number): Expiry {
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'expired'
  return left < SOON_MS ? 'soon' : 'later'
}
