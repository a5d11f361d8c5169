import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { BENEFIT_FIELDS } from '#contract/benefits.ts'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { isChanged, useDraft } from '#web/features/servers/use-draft.ts'
import { isSame } from '#web/lib/is-same.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved.tsx'
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

/** The listing beside how players see it: a form, as far as the user may change it. */
export function ListingTab({ server }: { server: ShownServer }) {
  if (hasPermission(server, 'EDIT_DETAILS') || hasPermission(server, 'EDIT_APPEARANCE')) return <EditListing server={server} />
  return (
    <Columns preview={<ListingPreview server={server} typed={server} look={visibleAppearance(server)} />}>
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

/** Changes wait for Save; nothing that was typed is lost on the way. */
function EditListing({ server }: { server: ShownServer }) {
  const form: ListingForm = useForm({ resolver: zodResolver(ListingSchema), defaultValues: toListingInput(server), mode: 'onTouched' })
  const { control, getValues, reset, formState } = form
  const { isDirty } = formState
  const typed = useWatch({ control }) as ListingInput

  // Another user may change the server meanwhile: an untouched form follows, a touched one keeps what was typed.
  useEffect(() => {
    if (!isDirty && !isSame(getValues(), toListingInput(server))) reset(toListingInput(server))
  }, [server, isDirty, getValues, reset])

  const draft = useDraft(form, typed, `listing.${server.public_id}`)
  const { entitlement, error, retry } = useEntitlement(server)
  useResetReadOnlyFields(form, typed, server, entitlement)
  const { save, isSaving } = useSave(form, server)
  const [discarded, setDiscarded] = useState(0)
  const [restOfTags, setRestOfTags] = useState('')
  const look = entitlement ? draftAppearance(typed, entitlement) : visibleAppearance(server)

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <ListingContext value={{ form, typed, server, entitlement }}>
        <Columns preview={<ListingPreview server={server} typed={typed} look={look} />}>
          {hasPermission(server, 'EDIT_DETAILS') ? (
            <ListingFields discarded={discarded} onRestOfTags={setRestOfTags} />
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
            setDiscarded((times) => times + 1)
          }}
        />
      )}
      <UnsavedGuard dirty={isDirty || restOfTags !== ''} onLeave={draft.clear} what="the listing" />
    </form>
  )
}

/** Sends what was changed. What is typed while it is saved stays and is unsaved. */
function useSave({ getValues, setValue, setError, reset, handleSubmit, formState }: ListingForm, server: ShownServer) {
  const change = useUpdateServer(server)
  const { dirtyFields } = formState
  const takeSaved = (sent: ListingInput, saved: ListingInput) => {
    const now = structuredClone(getValues())
    // Only what the form compares with: the fields themselves, and the caret in them, are left alone.
    reset(saved, { keepValues: true })
    for (const name of FORM_FIELDS) setValue(name, isSame(now[name], sent[name]) ? saved[name] : now[name], { shouldDirty: true })
  }
  const save = useSingleFlight(async () => {
    const sent = structuredClone(getValues())
    await handleSubmit(async (values) => {
      const changed = Object.fromEntries(
        SENT_FIELDS.filter((name) => dirtyFields[name] !== undefined && dirtyFields[name] !== false).map((name) => [name, values[name]]),
      )
      try {
        takeSaved(sent, toListingInput(await change.mutateAsync(changed)))
        toastSuccess('Listing saved')
      } catch (error) {
        setFormErrors<ListingInput>(error, SENT_FIELDS, setError)
      }
    })()
  })
  return { save, isSaving: change.isPending }
}

/** A field that the user may not change (any more) is as the server has it, also where an old draft says otherwise. */
function useResetReadOnlyFields(form: ListingForm, typed: ListingInput, server: ShownServer, entitlement: Entitlement | undefined): void {
  const { setValue, clearErrors } = form
  const { dirtyFields, defaultValues } = form.formState
  const fixed = [...readOnlyFields(server), ...(entitlement ? lockedFields(typed, entitlement) : [])]
  const names = fixed.filter((name) => isChanged(dirtyFields, name)).join()
  useEffect(() => {
    for (const name of names === '' ? [] : (names.split(',') as (keyof ListingInput)[])) {
      // Not `resetField`, which does nothing where the field's control has not been there yet.
      setValue(name, (defaultValues as ListingInput)[name], { shouldDirty: true })
      clearErrors(name)
    }
  }, [names, defaultValues, setValue, clearErrors])
}

/** Fields that are set without their benefit. Taking away what is set needs none. */
function lockedFields(typed: ListingInput, entitlement: Entitlement): (keyof ListingInput)[] {
  const refused = BENEFIT_FIELDS.filter((field) => !unlocks(entitlement, field) && typed[field] !== null && typed[field] !== false)
  return refused.includes('icon_image_id') ? [...refused, 'icon_url'] : refused
}
