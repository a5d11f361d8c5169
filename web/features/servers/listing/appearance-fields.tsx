import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EyeOff, Lock } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { type BenefitField, fieldsOfPermission, isInitial, serverField } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { ImageField } from '#web/features/images/image-field.tsx'
import { isAdminServer, type ShownServer } from '#web/features/servers/access.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Entitlement, lockedReason, unlocks } from './entitlement.ts'
import { GroupField } from './group-field.tsx'
import { AS_USER_INPUT, useListing } from './listing-input.ts'
import { shownValue } from './field-kinds.tsx'
import { VanityField } from './vanity-field.tsx'

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
        <Fields groups={entitlement.groups} />
      ) : error ? (
        <RetryNote onRetry={onRetry}>{messageOf(error)}</RetryNote>
      ) : (
        <Skeleton className="h-72" />
      )}
    </section>
  )
}

const FIELDS = fieldsOfPermission('EDIT_APPEARANCE')
type AppearanceField = (typeof FIELDS)[number]
type Groups = Entitlement['groups']

const CONTROLS: Readonly<Record<AppearanceField, { clear: () => string; Control: (props: { groups: Groups }) => ReactNode }>> = {
  icon_image_id: { clear: () => m.servers_listing_icon_remove(), Control: IconField },
  group_id: { clear: () => m.servers_listing_group_leave(), Control: GroupField },
  vanity_url: { clear: () => m.servers_listing_vanity_release(), Control: VanityField },
  promoted: { clear: () => m.servers_listing_promotion_end(), Control: PromotionField },
}

function Fields({ groups }: { groups: Groups }) {
  return (
    <div className="space-y-5">
      {FIELDS.map((field) => {
        const { clear, Control } = CONTROLS[field]
        return (
          <BenefitFieldRow key={field} field={field} clear={clear()} groups={groups}>
            <Control groups={groups} />
          </BenefitFieldRow>
        )
      })}
    </div>
  )
}

function IconField() {
  const { form, values } = useListing()
  return (
    <ImageField
      label={serverField('icon_image_id').label()}
      purpose="SERVER_ICON"
      value={values.icon_image_id}
      url={values.icon_url}
      onChange={(image) => {
        form.setValue('icon_image_id', image?.id ?? null, AS_USER_INPUT)
        form.setValue('icon_url', image?.url ?? null, AS_USER_INPUT)
      }}
      error={form.formState.errors.icon_image_id?.message}
    />
  )
}

interface BenefitFieldRowProps {
  field: BenefitField
  clear: string
  groups: Groups
  children: ReactNode
}

/** Locked without its benefit. A stored value stays visible, can be removed, and returns with the benefit. */
function BenefitFieldRow({ field, clear, groups, children }: BenefitFieldRowProps) {
  const { form, values, server, entitlement } = useListing()
  const errorId = useId()
  const row = useRef<HTMLDivElement>(null)
  if (entitlement && unlocks(entitlement, field)) return children
  const label = serverField(field).label()
  const value = isInitial(field, values[field]) ? null : shownValue(field, values, server.group ? [...groups, server.group] : groups)
  const onClear = () => {
    form.setValue(field, SERVER_FIELDS[field].initial, AS_USER_INPUT)
    if (field === 'icon_image_id') form.setValue('icon_url', null, AS_USER_INPUT)
    row.current?.focus()
  }
  return (
    <div
      ref={row}
      tabIndex={-1}
      role="group"
      aria-label={label}
      aria-describedby={errorId}
      className="relative rounded-10 border border-dashed border-line px-4 py-3 outline-none"
    >
      <p className="flex items-center gap-2 text-13 font-medium">
        <Lock size={14} className="shrink-0 text-ink-3" aria-hidden="true" />
        {label}
      </p>
      {value !== null && (
        <>
          <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">{value}</div>
            <Button onClick={onClear}>{clear}</Button>
          </div>
          <p className="mt-2.5 flex gap-1.5 text-13 text-ink-2">
            <EyeOff size={14} className="mt-[3px] shrink-0 text-ink-3" aria-hidden="true" />
            <span>{m.servers_listing_dormant()}</span>
          </p>
        </>
      )}
      <p className="mt-1 text-13 text-ink-2">
        {lockedReason(field, server.owner?.discord.username)}{' '}
        {server.owner === undefined && (
          <Link to="/benefits" className="inline-flex min-h-6 items-center rounded-6 text-accent underline underline-offset-2">
            {m.servers_listing_see_benefits()}
          </Link>
        )}
      </p>
      <FieldError id={errorId}>{form.formState.errors[field]?.message}</FieldError>
    </div>
  )
}

/** An owner can promote one server. */
function PromotionField() {
  const { form, values, server } = useListing()
  const other = useOtherPromoted(server)
  const errorId = useId()
  const error = form.formState.errors.promoted?.message
  return (
    <div className="relative">
      <label className="flex cursor-pointer items-start gap-3">
        <input
          {...form.register('promoted')}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its own checked state
          role="switch"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={errorId}
          className="switch mt-0.5"
        />
        <span className="min-w-0">
          <span className="block text-13 font-medium">{m.servers_listing_promote()}</span>
          <span className="block text-13 [overflow-wrap:anywhere] text-ink-3">{promotionHint(values.promoted, other)}</span>
        </span>
      </label>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}

function promotionHint(promoted: boolean, other: string | undefined): string {
  if (other === undefined) return m.servers_listing_promote_hint()
  return promoted ? m.servers_listing_promote_moves({ other }) : m.servers_listing_promote_other({ other })
}

function useOtherPromoted(server: ShownServer): string | undefined {
  const { public_id, user_id, owner } = server
  const { data: list } = useQuery(serverListOptions)
  const { data: user } = useQuery({ ...adminUserOptions(user_id), enabled: isAdminServer(server) })
  const others = owner ? list?.management.filter((each) => each.user_id === user_id) : list?.owned
  const servers = isAdminServer(server) ? user?.masterListTokens : others
  return servers?.find((each) => each.promoted && each.public_id !== public_id)?.name
}
