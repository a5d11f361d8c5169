import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { type UpdatedServer, useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { serverListOptions, setServerCache } from '#web/features/servers/servers.api.ts'
import { call } from '#web/lib/call.ts'
import { currentOf } from '#web/lib/http-error.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { mergeRows } from '#web/lib/merge.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import type { Conflict, ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import { toastSuccess, toastUndo } from '#web/ui/toast.ts'
import type { Entitlement } from './entitlement.ts'
import { setFormErrors } from './form-errors.ts'
import { FORM_FIELDS, type ListingForm, type ListingInput, SENT_FIELDS, toListingInput } from './listing-input.ts'
import { listingParts } from './listing-parts.tsx'
import type { useBasis } from '#web/features/session/use-basis.ts'

type SentField = (typeof SENT_FIELDS)[number]

interface ListingConflict extends Conflict<ListingInput> {
  readonly current: UpdatedServer
  readonly version: number
}

/** A change of only these fields can be undone with one click. */
const UNDOABLE: readonly string[] = ['visible', 'tags', 'group_id', 'promoted'] satisfies SentField[]

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

/** The owner's other server that is promoted. */
function findPromoted(client: QueryClient, { owner, public_id }: ShownServer): Server | undefined {
  if (owner !== undefined) return undefined
  return client.getQueryData(serverListOptions.queryKey)?.owned.find((other) => other.promoted && other.public_id !== public_id)
}

/** Losing the promotion raised the version by one. */
async function promoteAgain(client: QueryClient, { public_id: id, version }: Server): Promise<void> {
  setServerCache(client, await call('PATCH /api/users/tokens/{id}', { params: { id }, body: { promoted: true }, ifMatch: version + 1 }))
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

  async function onConflict(current: UpdatedServer, mine: ListingInput, names: readonly SentField[]): Promise<void> {
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

  async function send(names: readonly SentField[]): Promise<void> {
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
        notifySaved(names, previous, saved, promoted)
      } catch (error) {
        const current = currentOf(error)
        if (current !== undefined) return await onConflict(current as UpdatedServer, sent, names)
        setConflict(undefined)
        setFormErrors<ListingInput>(error, SENT_FIELDS, setError)
      }
    })()
  }

  const notifySaved = (names: readonly SentField[], previous: ListingInput, saved: UpdatedServer, promoted: Server | undefined) => {
    const hasMovedPromotion = names.includes('promoted') && saved.promoted
    // Only the owner's list says where the promotion came from.
    const canUndo = names.every((name) => UNDOABLE.includes(name)) && !(hasMovedPromotion && server.owner !== undefined)
    if (!canUndo) return toastSuccess(m.servers_listing_saved())
    const body = Object.fromEntries(names.map((name) => [name, previous[name]]))
    toastUndo(m.servers_listing_saved(), undefined, async () => {
      await change.mutateAsync({ body, ifMatch: saved.version })
      if (hasMovedPromotion && promoted !== undefined) await promoteAgain(client, promoted)
    })
  }

  const save = useSingleFlight(() => send(SENT_FIELDS.filter((name) => dirtyFields[name] !== undefined && dirtyFields[name] !== false)))

  const resolve = useSingleFlight(async (kept: readonly ConflictPart<ListingInput>[]) => {
    if (conflict === undefined) return
    const fields = kept.flatMap((part) => part.fields)
    rebase(conflict.current, conflict.mine, fields)
    const names = SENT_FIELDS.filter((name) => fields.includes(name))
    if (names.length > 0) await send(names)
    else setConflict(undefined)
  })

  return { save, isSaving: change.isPending, conflict, resolve, closeConflict: () => setConflict(undefined) }
}
