import { TriangleAlert } from 'lucide-react'
import type { ApiKey } from '#contract/users/api-keys.ts'
import { SCOPES } from '#contract/users/scopes.ts'
import { m } from '#messages'
import { exactTime, formatTime, useNow } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { ConfirmButton } from '#web/ui/dialog/confirm-button.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useRevokeApiKey } from './api-keys.api.ts'
import { type Expiry, expiryOf } from './expiry.ts'

export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
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
