import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { BENEFIT_FIELDS } from '#contract/benefits.ts'
import { m } from '#messages'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { isChanged, useDraft } from '#web/features/servers/use-draft.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { AppearanceFields } from './appearance-fields.tsx'
import { type Entitlement, draftAppearance, unlocks, useEntitlement } from './entitlement.ts'
import { setFormErrors } from './form-errors.ts'
import { ListingFields } from './listing-fields.tsx'
import {
  readOnlyFields,
  FORM_FIELDS,
  ListingSchema,
  ListingContext,
  type ListingForm,
  type ListingInput,
  toListingInput,
  SENT_FIELDS,
} from './listing-input.ts'
import { ReadOnlyAppearance, ReadOnlyListing } from './read-only-listing.tsx'
import { ListingPreview } from './listing-preview.tsx'
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

function EditListing({ server }: { server: ShownServer }) {
  const form: ListingForm = useForm({ resolver: zodResolver(ListingSchema), defaultValues: toListingInput(server), mode: 'onTouched' })
  const { control, getValues, reset, formState } = form
  const { isDirty } = formState
  const values = useWatch({ control }) as ListingInput

  // An unchanged form follows changes by other users. A changed one keeps its values.
  useEffect(() => {
    if (!isDirty && !isEqual(getValues(), toListingInput(server))) reset(toListingInput(server))
  }, [server, isDirty, getValues, reset])

  const draft = useDraft(form, values, `listing.${server.public_id}`)
  const { entitlement, error, retry } = useEntitlement(server)
  useResetReadOnlyFields(form, values, server, entitlement)
  const { save, isSaving } = useSave(form, server)
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
    </form>
  )
}

/** Sends the changed fields. Changes made during the request stay unsaved. */
function useSave({ getValues, setValue, setError, reset, handleSubmit, formState }: ListingForm, server: ShownServer) {
  const change = useUpdateServer(server)
  const { dirtyFields } = formState
  const applySaved = (sent: ListingInput, saved: ListingInput) => {
    const current = structuredClone(getValues())
    // Resets only the defaults, so the fields keep their values and the caret.
    reset(saved, { keepValues: true })
    for (const name of FORM_FIELDS) setValue(name, isEqual(current[name], sent[name]) ? saved[name] : current[name], { shouldDirty: true })
  }
  const save = useSingleFlight(async () => {
    const sent = structuredClone(getValues())
    await handleSubmit(async (values) => {
      const changed = Object.fromEntries(
        SENT_FIELDS.filter((name) => dirtyFields[name] !== undefined && dirtyFields[name] !== false).map((name) => [name, values[name]]),
      )
      try {
        applySaved(sent, toListingInput(await change.mutateAsync(changed)))
        toastSuccess(m.servers_listing_saved())
      } catch (error) {
        setFormErrors<ListingInput>(error, SENT_FIELDS, setError)
      }
    })()
  })
  return { save, isSaving: change.isPending }
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
  const locked = BENEFIT_FIELDS.filter((field) => !unlocks(entitlement, field) && values[field] !== null && values[field] !== false)
  return locked.includes('icon_image_id') ? [...locked, 'icon_url'] : locked
}
