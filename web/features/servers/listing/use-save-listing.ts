import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SERVER_FIELD_NAMES, type ServerFieldName } from '#contract/servers/server-field-shapes.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { type UpdatedServer, useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { currentOf } from '#web/lib/current-of.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { mergeRows } from '#web/lib/merge.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import type { Conflict, ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import type { Entitlement } from './entitlement.ts'
import { setFormErrors } from './form-errors.ts'
import { FORM_FIELDS, type ListingForm, type ListingInput, toListingInput } from './listing-input.ts'
import { findPromoted, notifySaved } from './listing-undo.ts'
import { listingParts } from './listing-parts.ts'
import type { useBasis } from '#web/features/session/use-basis.ts'

interface ListingConflict extends Conflict<ListingInput> {
  readonly current: UpdatedServer
  readonly version: number
}

const basisOf = (server: UpdatedServer) => ({ version: server.version, values: toListingInput(server) })

/** Changes made during the request stay unsaved. */
function applySaved({ getValues, setValue, reset }: ListingForm, sent: ListingInput, saved: ListingInput): void {
  const current = structuredClone(getValues())
  // Resets only the defaults, so the fields keep their values and the caret.
  reset(saved, { keepValues: true })
  for (const name of FORM_FIELDS) setValue(name, isEqual(current[name], sent[name]) ? saved[name] : current[name], { shouldDirty: true })
}

/** Starts the form from the current server, with these fields of the user's on top. */
function applyCurrent(
  { setValue, reset }: ListingForm,
  current: UpdatedServer,
  mine: ListingInput,
  kept: readonly (keyof ListingInput)[],
): void {
  reset(toListingInput(current))
  for (const name of kept) setValue(name, mine[name], { shouldDirty: true, shouldTouch: true })
}

/** Sends the changed fields. A change by another user becomes `conflict`. */
export function useSaveListing(
  form: ListingForm,
  server: ShownServer,
  basis: ReturnType<typeof useBasis<ListingInput>>,
  entitlement: Entitlement | undefined,
) {
  const { getValues, setError, handleSubmit, formState } = form
  const client = useQueryClient()
  const change = useUpdateServer(server)
  const { dirtyFields } = formState
  const [conflict, setConflict] = useState<ListingConflict>()
  const parts = listingParts(server, [...(entitlement?.groups ?? []), ...(server.group ? [server.group] : [])])
  const rebase = (current: UpdatedServer, mine: ListingInput, kept: readonly (keyof ListingInput)[]) => {
    applyCurrent(form, current, mine, kept)
    basis.set(basisOf(current))
  }

  async function onConflict(current: UpdatedServer, mine: ListingInput, names: readonly ServerFieldName[]): Promise<void> {
    const theirs = toListingInput(current)
    const rows = mergeRows(parts, basis.get().values, mine, theirs)
    if (rows.some((row) => row.preselected === 'theirs' || row.isContested)) {
      setConflict({ rows, mine, theirs, savedAt: current.updated_at, current, version: current.version })
      return
    }
    // Nobody else changed a field of this form.
    const isKept = (field: keyof ListingInput) => names.includes(field === 'icon_url' ? 'icon_image_id' : field)
    rebase(current, mine, FORM_FIELDS.filter(isKept))
    await send(names)
  }

  async function send(names: readonly ServerFieldName[]): Promise<void> {
    const sent = structuredClone(getValues())
    const { version, values: previous } = basis.get()
    const promoted = findPromoted(client, server)
    await handleSubmit(async (values) => {
      const body = Object.fromEntries(names.map((name) => [name, values[name]]))
      try {
        const saved = await change.mutateAsync({ body, ifMatch: version })
        setConflict(undefined)
        applySaved(form, sent, toListingInput(saved))
        basis.set(basisOf(saved))
        notifySaved({ client, server, names, previous, saved, promoted, update: change.mutateAsync })
      } catch (error) {
        const current = currentOf(error)
        if (current !== undefined) return await onConflict(current as UpdatedServer, sent, names)
        setConflict(undefined)
        setFormErrors<ListingInput>(error, SERVER_FIELD_NAMES, setError)
      }
    })()
  }

  const save = useSingleFlight(() =>
    send(SERVER_FIELD_NAMES.filter((name) => dirtyFields[name] !== undefined && dirtyFields[name] !== false)),
  )

  const resolve = useSingleFlight(async (kept: readonly ConflictPart<ListingInput>[]) => {
    if (conflict === undefined) return
    const fields = kept.flatMap((part) => part.fields)
    rebase(conflict.current, conflict.mine, fields)
    const names = SERVER_FIELD_NAMES.filter((name) => fields.includes(name))
    if (names.length > 0) await send(names)
    else setConflict(undefined)
  })

  return { save, isSaving: change.isPending, conflict, resolve, closeConflict: () => setConflict(undefined) }
}
