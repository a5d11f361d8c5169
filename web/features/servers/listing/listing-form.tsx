import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { BENEFIT_FIELDS } from '#contract/benefits.ts'
import { isSame } from '#web/lib/is-same.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved.tsx'
import { may, type ShownServer } from '#web/features/servers/access.ts'
import { AppearanceFields } from './appearance-fields.tsx'
import { AppearanceLook } from './appearance-look.tsx'
import { type Entitlement, typedLook, unlocks, useEntitlement } from './entitlement.ts'
import { showErrors } from './form-errors.ts'
import type { Language } from './language-select.tsx'
import { ListingFields } from './listing-fields.tsx'
import { fixedFields, FORM_FIELDS, Listing, type ListingInput, listingOf, type ListingValues, SENT_FIELDS } from './listing-input.ts'
import { ListingTexts } from './listing-look.tsx'
import { ListingPreview } from './listing-preview.tsx'
import { lookOf } from './look.ts'
import { useChangeServer } from '#web/features/servers/change-server.ts'
import { useDraft } from '#web/features/servers/use-draft.ts'

export type ListingFormState = UseFormReturn<ListingInput, unknown, ListingValues>

interface ListingFormProps {
  server: ShownServer
  languages: readonly Language[]
  /** The address of the list, where vanity ids resolve. */
  masterlist: string
}

/** What players see, beside how they see it. Changes wait for Save; nothing that was typed is lost on the way. */
export function ListingForm({ server, languages, masterlist }: ListingFormProps) {
  const form: ListingFormState = useForm({ resolver: zodResolver(Listing), defaultValues: listingOf(server), mode: 'onTouched' })
  const { control, getValues, reset, formState } = form
  const { isDirty } = formState
  const typed = useWatch({ control }) as ListingInput

  // Somebody else may change the server meanwhile: an untouched form follows, a touched one keeps what was typed.
  useEffect(() => {
    if (!isDirty && !isSame(getValues(), listingOf(server))) reset(listingOf(server))
  }, [server, isDirty, getValues, reset])

  const draft = useDraft(form, typed, `listing.${server.public_id}`)
  const { entitlement, ...reading } = useEntitlement(server)
  useOnlyAllowed(form, typed, server, entitlement)
  const { save, isSaving } = useSave(form, server)
  const [discarded, setDiscarded] = useState(0)
  const [restOfTags, setRestOfTags] = useState('')

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0 space-y-6">
          {may(server, 'EDIT_DETAILS') ? (
            <ListingFields form={form} typed={typed} languages={languages} discarded={discarded} onRestOfTags={setRestOfTags} />
          ) : (
            <ListingTexts server={server} languages={languages} />
          )}
          {may(server, 'EDIT_APPEARANCE') ? (
            <AppearanceFields {...{ form, typed, server, entitlement, reading, masterlist }} />
          ) : (
            <AppearanceLook server={server} />
          )}
        </div>
        <ListingPreview
          server={server}
          typed={typed}
          look={entitlement ? typedLook(typed, entitlement) : lookOf(server)}
          languages={languages}
        />
      </div>
      {isDirty && (
        <SaveBar
          busy={isSaving}
          isBack={draft.isBack}
          problem={formState.errors.root?.message}
          onDiscard={() => {
            reset(listingOf(server))
            setDiscarded((times) => times + 1)
          }}
        />
      )}
      <UnsavedGuard dirty={isDirty || restOfTags !== ''} onLeave={draft.drop} what="the listing" />
    </form>
  )
}

/** Sends what was changed, and keeps what was typed on while it was saved. */
function useSave({ getValues, setValue, setError, reset, handleSubmit, formState }: ListingFormState, server: ShownServer) {
  const change = useChangeServer(server)
  const { dirtyFields } = formState
  /** What was typed on while it was saved stays and is unsaved; everything else is as the backend keeps it. */
  const takeSaved = (sent: ListingInput, saved: ListingInput) => {
    const now = structuredClone(getValues())
    // Only what the form compares with: the fields themselves, and the caret in them, are left alone.
    reset(saved, { keepValues: true })
    for (const name of FORM_FIELDS) setValue(name, isSame(now[name], sent[name]) ? saved[name] : now[name], { shouldDirty: true })
  }
  const save = useSingly(async () => {
    const sent = structuredClone(getValues())
    await handleSubmit(async (values) => {
      const changed = Object.fromEntries(
        SENT_FIELDS.filter((name) => dirtyFields[name] !== undefined && dirtyFields[name] !== false).map((name) => [name, values[name]]),
      )
      try {
        takeSaved(sent, listingOf(await change.mutateAsync(changed)))
        toastSuccess('Listing saved')
      } catch (error) {
        showErrors<ListingInput>(error, SENT_FIELDS, setError)
      }
    })()
  })
  return { save, isSaving: change.isPending }
}

/** What one may not change (any more) is as the server has it, also where an old draft says otherwise. */
function useOnlyAllowed(
  { formState: { dirtyFields, defaultValues }, setValue, clearErrors }: ListingFormState,
  typed: ListingInput,
  server: ShownServer,
  entitlement: Entitlement | undefined,
): void {
  const fixed = [...fixedFields(server), ...(entitlement ? refusedFields(typed, entitlement) : [])].filter((name) => {
    const dirty = dirtyFields[name]
    return Array.isArray(dirty) ? dirty.length > 0 : dirty === true
  })
  const names = fixed.join()
  useEffect(() => {
    for (const name of names === '' ? [] : (names.split(',') as (keyof ListingInput)[])) {
      // Not `resetField`, which does nothing where the field's control has not been there yet.
      setValue(name, (defaultValues as ListingInput)[name], { shouldDirty: true })
      clearErrors(name)
    }
  }, [names, defaultValues, setValue, clearErrors])
}

/** What can't be set without the benefit it takes. Taking away what is set takes none. */
function refusedFields(typed: ListingInput, entitlement: Entitlement): (keyof ListingInput)[] {
  const refused = BENEFIT_FIELDS.filter((field) => !unlocks(entitlement, field) && typed[field] !== null && typed[field] !== false)
  return refused.includes('icon_image_id') ? [...refused, 'icon_url'] : refused
}
