import { type ReactNode, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { BENEFIT_FIELDS, isInitial } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { isChanged, useDraft } from '#web/features/servers/use-draft.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { ConflictDialog } from '#web/ui/form/conflict-dialog.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { type Entitlement, draftAppearance, unlocks, useEntitlement } from './entitlement.ts'
import { ListingFields } from './listing-fields.tsx'
import { readOnlyFields, ListingContext, type ListingForm, type ListingInput, toListingInput } from './listing-input.ts'
import { listingResolver } from './listing-resolver.ts'
import { ReadOnlyAppearance, ReadOnlyListing } from './read-only-listing.tsx'
import { ListingPreview } from './listing-preview.tsx'
import { useBasis } from '#web/features/session/use-basis.ts'
import { useSaveListing } from './use-save-listing.ts'
import { visibleAppearance } from './visible-appearance.ts'

/** The listing beside its preview. Managers may be able to edit only a part of it. */
export function ListingTab({ server }: { server: ShownServer }) {
  if (hasPermission(server, 'EDIT_DETAILS') || hasPermission(server, 'EDIT_APPEARANCE')) return <EditListing server={server} />
  return (
    <Columns preview={<ListingPreview server={server} values={server} appearance={visibleAppearance(server)} />}>
      <ReadOnlyListing server={server} />
      <ReadOnlyAppearance server={server} />
    </Columns>
  )
}

function Columns({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="min-w-0 space-y-6">{children}</div>
      {preview}
    </div>
  )
}

function useListingForm(server: ShownServer): ListingForm {
  const stored = toListingInput(server)
  return useForm({ resolver: listingResolver(stored), defaultValues: stored, mode: 'onTouched' })
}

function EditListing({ server }: { server: ShownServer }) {
  const form = useListingForm(server)
  const { control, reset, formState } = form
  const { isDirty } = formState
  const values = useWatch({ control }) as ListingInput

  useFollowServer(form, server)
  const { entitlement, error, retry } = useEntitlement(server)
  const { draft, basis } = useListingDraft(form, values, server)
  useResetReadOnlyFields(form, values, server, entitlement)
  const { save, isSaving, conflict, resolve, closeConflict } = useSaveListing(form, server, basis, entitlement)
  const [discards, setDiscards] = useState(0)
  const [pendingTag, setPendingTag] = useState('')
  const appearance = entitlement ? draftAppearance(values, entitlement) : visibleAppearance(server)

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <ListingContext value={{ form, values, server, entitlement }}>
        <Columns preview={<ListingPreview server={server} values={values} appearance={appearance} />}>
          {hasPermission(server, 'EDIT_DETAILS') ? (
            <ListingFields discards={discards} onPendingTag={setPendingTag} />
          ) : (
            <ReadOnlyListing server={server} />
          )}
          {hasPermission(server, 'EDIT_APPEARANCE') ? (
            <AppearanceFields error={error} onRetry={retry} />
          ) : (
            <ReadOnlyAppearance server={server} />
          )}
        </Columns>
      </ListingContext>
      {isDirty && (
        <SaveBar
          busy={isSaving}
          isRestored={draft.isRestored}
          problem={formState.errors.root?.message}
          onDiscard={() => {
            reset(toListingInput(server))
            setDiscards((count) => count + 1)
          }}
        />
      )}
      <UnsavedGuard dirty={isDirty || pendingTag !== ''} onLeave={draft.clear} what={m.servers_listing_what()} />
      {conflict && (
        <ConflictDialog
          key={conflict.version}
          conflict={conflict}
          busy={isSaving}
          error={undefined}
          onResolve={resolve}
          onClose={closeConflict}
        />
      )}
    </form>
  )
}

/** An unchanged form follows changes by other users. A changed one keeps its values. */
function useFollowServer({ getValues, reset, formState: { isDirty } }: ListingForm, server: ShownServer): void {
  useEffect(() => {
    if (!isDirty && !isEqual(getValues(), toListingInput(server))) reset(toListingInput(server))
  }, [server, isDirty, getValues, reset])
}

/** The unsaved changes, and the server that they are based on. */
function useListingDraft(form: ListingForm, values: ListingInput, server: ShownServer) {
  const name = `listing.${server.public_id}`
  const { isRestored, clear } = useDraft(form, values, name)
  const basis = useBasis({ version: server.version, values: toListingInput(server) }, form.formState.isDirty, name)
  const clearBoth = () => {
    clear()
    basis.clear()
  }
  return { draft: { isRestored, clear: clearBoth }, basis }
}

/** Fields that the user may no longer edit get the server's values, even if a draft has others. */
function useResetReadOnlyFields(form: ListingForm, values: ListingInput, server: ShownServer, entitlement: Entitlement | undefined): void {
  const { setValue, clearErrors } = form
  const { dirtyFields, defaultValues } = form.formState
  const fields = [...readOnlyFields(server), ...(entitlement ? lockedFields(values, entitlement) : [])]
  const names = fields.filter((name) => isChanged(dirtyFields, name)).join()
  useEffect(() => {
    for (const name of names === '' ? [] : (names.split(',') as (keyof ListingInput)[])) {
      // `resetField` ignores fields that were never rendered.
      setValue(name, (defaultValues as ListingInput)[name], { shouldDirty: true })
      clearErrors(name)
    }
  }, [names, defaultValues, setValue, clearErrors])
}

/** Fields with a value but without the benefit. Removing the value needs no benefit. */
function lockedFields(values: ListingInput, entitlement: Entitlement): (keyof ListingInput)[] {
  const locked = BENEFIT_FIELDS.filter((field) => !unlocks(entitlement, field) && !isInitial(field, values[field]))
  return locked.includes('icon_image_id') ? [...locked, 'icon_url'] : locked
}
