import { ImageField } from '#web/features/images/image-field.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { ShownServer } from '#web/features/servers/access.ts'
import { BenefitFieldRow } from './benefit-field.tsx'
import type { Entitlement, useEntitlement } from './entitlement.ts'
import { GroupField } from './group-field.tsx'
import type { ListingFormState } from './listing-form.tsx'
import type { ListingInput } from './listing-input.ts'
import { PromotionField } from './promotion-field.tsx'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { VanityField } from './vanity-field.tsx'

interface AppearanceFieldsProps {
  form: ListingFormState
  typed: ListingInput
  server: ShownServer
  /** Undefined while it is read, or where that failed. */
  entitlement: Entitlement | undefined
  reading: Pick<ReturnType<typeof useEntitlement>, 'error' | 'retry'>
  masterlist: string
}

/** What makes a server stand out on the list. Each part comes with a benefit of the owner. */
export function AppearanceFields({ entitlement, reading, ...rest }: AppearanceFieldsProps) {
  const owner = rest.server.owner?.discord.username
  return (
    <section aria-labelledby="appearance" className="card p-5">
      <h2 id="appearance" className="font-medium">
        Appearance
      </h2>
      <p className="mt-1 mb-5 text-13 text-ink-3">
        How the server stands out on the list. Each part comes with a benefit{owner === undefined ? '' : ` of ${owner}`}.
      </p>
      {entitlement ? (
        <Fields {...rest} entitlement={entitlement} />
      ) : reading.error ? (
        <RetryNote onRetry={reading.retry}>{messageOf(reading.error)}</RetryNote>
      ) : (
        <Skeleton className="h-72" />
      )}
    </section>
  )
}

type FieldsProps = Omit<AppearanceFieldsProps, 'entitlement' | 'reading'> & { entitlement: Entitlement }

const CHANGE = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const

function Fields({ form, typed, server, entitlement, masterlist }: FieldsProps) {
  const { group_id, vanity_url, promoted } = typed
  const { setValue } = form
  const { errors } = form.formState
  const group = entitlement.groups.find(({ id }) => id === group_id)?.name ?? server.group?.name ?? 'A group'
  const gate = { server, entitlement }
  return (
    <div className="space-y-5">
      <IconPart {...{ form, typed, server, entitlement }} />
      <BenefitFieldRow
        {...gate}
        label="Group"
        field="group_id"
        value={group_id === null ? null : group}
        clear="Leave group"
        onClear={() => setValue('group_id', null, CHANGE)}
        error={errors.group_id?.message}
      >
        <GroupField form={form} server={server} groups={entitlement.groups} />
      </BenefitFieldRow>
      <BenefitFieldRow
        {...gate}
        label="Vanity id"
        field="vanity_url"
        value={vanity_url === null ? null : <span className="font-mono">@{vanity_url}</span>}
        clear="Give up id"
        onClear={() => setValue('vanity_url', null, CHANGE)}
        error={errors.vanity_url?.message}
      >
        <VanityField form={form} server={server} typed={vanity_url} masterlist={masterlist} />
      </BenefitFieldRow>
      <BenefitFieldRow
        {...gate}
        label="Promotion"
        field="promoted"
        value={promoted ? 'Promoted' : null}
        clear="End promotion"
        onClear={() => setValue('promoted', false, CHANGE)}
        error={errors.promoted?.message}
      >
        <PromotionField form={form} server={server} promoted={promoted} />
      </BenefitFieldRow>
    </div>
  )
}

function IconPart({ form: { setValue, formState }, typed, server, entitlement }: Omit<FieldsProps, 'masterlist'>) {
  const { name, icon_image_id, icon_url } = typed
  const error = formState.errors.icon_image_id?.message
  const set = (image: { id: string; url: string } | null) => {
    setValue('icon_image_id', image?.id ?? null, CHANGE)
    setValue('icon_url', image?.url ?? null, CHANGE)
  }
  return (
    <BenefitFieldRow
      server={server}
      entitlement={entitlement}
      label="Icon"
      field="icon_image_id"
      value={icon_image_id === null ? null : <ServerTile name={name} iconUrl={icon_url} large />}
      clear="Remove icon"
      onClear={() => set(null)}
      error={error}
    >
      <ImageField label="Icon" purpose="SERVER_ICON" value={icon_image_id} url={icon_url} onChange={set} error={error} />
    </BenefitFieldRow>
  )
}
