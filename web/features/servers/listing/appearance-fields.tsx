import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ImageField } from '#web/features/images/image-field.tsx'
import { isAdministered, type ShownServer } from '#web/features/servers/access.ts'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BenefitFieldRow } from './benefit-field.tsx'
import type { Entitlement } from './entitlement.ts'
import { GroupField } from './group-field.tsx'
import { AS_TYPED, useListing } from './listing-input.ts'
import { VanityField } from './vanity-field.tsx'

/** How the server stands out on the list. Each part comes with a benefit of the owner. */
export function AppearanceFields({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { server, entitlement } = useListing()
  const owner = server.owner?.discord.username
  return (
    <section aria-labelledby="appearance" className="card p-5">
      <h2 id="appearance" className="font-medium">
        Appearance
      </h2>
      <p className="mt-1 mb-5 text-13 text-ink-3">
        How the server stands out on the list. Each part comes with a benefit{owner === undefined ? '' : ` of ${owner}`}.
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

function Fields({ groups }: Pick<Entitlement, 'groups'>) {
  const { typed, server } = useListing()
  const { name, icon_image_id, icon_url, group_id, vanity_url, promoted } = typed
  const icon = icon_image_id === null ? null : <ServerTile name={name} iconUrl={icon_url} large />
  const group = groups.find(({ id }) => id === group_id)?.name ?? server.group?.name ?? 'A group'
  const vanity = vanity_url === null ? null : <span className="font-mono">@{vanity_url}</span>
  return (
    <div className="space-y-5">
      <BenefitFieldRow label="Icon" field="icon_image_id" value={icon} clear="Remove icon">
        <IconField />
      </BenefitFieldRow>
      <BenefitFieldRow label="Group" field="group_id" value={group_id === null ? null : group} clear="Leave group">
        <GroupField groups={groups} />
      </BenefitFieldRow>
      <BenefitFieldRow label="Vanity id" field="vanity_url" value={vanity} clear="Give up id">
        <VanityField />
      </BenefitFieldRow>
      <BenefitFieldRow label="Promotion" field="promoted" value={promoted ? 'Promoted' : null} clear="End promotion">
        <PromotionField />
      </BenefitFieldRow>
    </div>
  )
}

function IconField() {
  const { form, typed } = useListing()
  return (
    <ImageField
      label="Icon"
      purpose="SERVER_ICON"
      value={typed.icon_image_id}
      url={typed.icon_url}
      onChange={(image) => {
        form.setValue('icon_image_id', image?.id ?? null, AS_TYPED)
        form.setValue('icon_url', image?.url ?? null, AS_TYPED)
      }}
      error={form.formState.errors.icon_image_id?.message}
    />
  )
}

/** Whether this is the one server of its owner that stands above the others. */
function PromotionField() {
  const { form, typed, server } = useListing()
  const other = useOtherPromoted(server)
  const errorId = useId()
  const error = form.formState.errors.promoted?.message
  return (
    <div className="relative">
      <label className="flex cursor-pointer items-start gap-3">
        <input
          {...form.register('promoted')}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says by itself whether it is on
          role="switch"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={errorId}
          className="switch mt-0.5"
        />
        <span className="min-w-0">
          <span className="block text-13 font-medium">Promote this server</span>
          <span className="block text-13 [overflow-wrap:anywhere] text-ink-3">{promotionNote(typed.promoted, other)}</span>
        </span>
      </label>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}

function promotionNote(promoted: boolean, other: string | undefined): string {
  if (other === undefined) return 'It stands above the others on the list, with a mark. One server at a time.'
  return promoted ? `Moves from ${other}, which loses it.` : `${other} is promoted now. Only one server can be.`
}

/** The name of the owner's other server that is promoted now. */
function useOtherPromoted(server: ShownServer): string | undefined {
  const { public_id, user_id, owner } = server
  const { data: list } = useQuery(serverListOptions)
  const { data: user } = useQuery({ ...adminUserOptions(user_id), enabled: isAdministered(server) })
  const others = owner ? list?.management.filter((each) => each.user_id === user_id) : list?.owned
  const servers = isAdministered(server) ? user?.masterListTokens : others
  return servers?.find((each) => each.promoted && each.public_id !== public_id)?.name
}
