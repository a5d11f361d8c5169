import { Link } from '@tanstack/react-router'
import { EyeOff, Lock } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { type BenefitField, fieldsOfPermission, isInitial, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError, useField } from '#web/ui/form/fields.tsx'
import { RetryNote, Skeleton } from '#web/ui/states.tsx'
import { lockedReason, unlocks } from './entitlement.ts'
import { ServerFieldControl } from './field-controls.tsx'
import { useListing, shownValue } from './listing-form.tsx'

export function AppearanceFields({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { server, entitlement } = useListing()
  const owner = server.owner?.discord.username
  return (
    <section aria-labelledby="appearance" className="card p-5">
      <h2 id="appearance" className="font-medium">
        {m.servers_listing_appearance()}
      </h2>
      <p className="mt-1 mb-5 text-13 text-ink-3">
        {owner === undefined ? m.servers_listing_appearance_hint() : m.servers_listing_appearance_hint_owner({ owner })}
      </p>
      {entitlement ? (
        <div className="space-y-5">
          {fieldsOfPermission('EDIT_APPEARANCE').map((name) =>
            unlocks(entitlement, name) ? <ServerFieldControl key={name} name={name} /> : <LockedField key={name} name={name} />,
          )}
        </div>
      ) : error ? (
        <RetryNote onRetry={onRetry}>{messageOf(error)}</RetryNote>
      ) : (
        <Skeleton className="h-72" />
      )}
    </section>
  )
}

/** Names the button that removes a value. */
const CLEAR: Readonly<Partial<Record<Control, () => string>>> = {
  image: m.servers_listing_icon_remove,
  group: m.servers_listing_group_leave,
  vanity_id: m.servers_listing_vanity_release,
  switch: m.servers_listing_promotion_end,
}

/** A field without its benefit. Its stored value stays visible, can be removed, and returns with the benefit. */
function LockedField({ name }: { name: BenefitField }): ReactNode {
  const { form, server, entitlement } = useListing()
  const { error } = useField(form, name)
  const errorId = useId()
  const row = useRef<HTMLDivElement>(null)
  const { label, control, initial } = serverField(name)
  const groups = [...(entitlement?.groups ?? []), ...(server.group ? [server.group] : [])]
  const value = isInitial(name, form.values[name]) ? null : shownValue(name, form.values, groups)
  return (
    <div
      ref={row}
      tabIndex={-1}
      role="group"
      aria-label={label()}
      aria-describedby={errorId}
      className="relative rounded-10 border border-dashed border-line px-4 py-3 outline-none"
    >
      <p className="flex items-center gap-2 text-13 font-medium">
        <Lock size={14} className="shrink-0 text-ink-3" aria-hidden="true" />
        {label()}
      </p>
      {value !== null && (
        <>
          <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">{value}</div>
            <Button
              onClick={() => {
                form.change({ [name]: initial })
                row.current?.focus()
              }}
            >
              {CLEAR[control]?.()}
            </Button>
          </div>
          <p className="mt-2.5 flex gap-1.5 text-13 text-ink-2">
            <EyeOff size={14} className="mt-[3px] shrink-0 text-ink-3" aria-hidden="true" />
            <span>{m.servers_listing_dormant()}</span>
          </p>
        </>
      )}
      <p className="mt-1 text-13 text-ink-2">
        {lockedReason(name, server.owner?.discord.username)}{' '}
        {server.owner === undefined && (
          <Link to="/benefits" className="inline-flex min-h-6 items-center rounded-6 text-accent underline underline-offset-2">
            {m.servers_listing_see_benefits()}
          </Link>
        )}
      </p>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}
