/** The form of a server's listing. Its fields are the rows of `SERVER_FIELDS`. */
import { createContext, use, type ReactNode } from 'react'
import type { z } from 'zod'
import { BENEFIT_FIELDS, SERVER_FIELD_NAMES, type ServerFieldName, isInitial, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import { type Server, ServerChanges } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { FormImage, formImage } from '#web/features/images/form-image.ts'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { type UpdatedServer, useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { useDraftKey } from '#web/features/session/session.api.ts'
import { fieldText } from '#web/lib/code-names.ts'
import type { Form } from '#web/ui/form/form-options.ts'
import { useForm } from '#web/ui/form/form.tsx'
import { toastSuccess, toastUndo } from '#web/ui/toast.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Entitlement, unlocks } from './entitlement.ts'

const ListingSchema = ServerChanges.required().extend({ icon_image_id: FormImage })
export type ListingInput = z.input<typeof ListingSchema>

export function toListingInput(server: Server): ListingInput {
  const valueOf = (name: ServerFieldName) =>
    serverField(name).control === 'image' ? formImage(server.icon_image_id, server.icon_url) : server[name]
  return Object.fromEntries(SERVER_FIELD_NAMES.map((name) => [name, valueOf(name)])) as ListingInput
}

interface ListingEditor {
  form: Form<ListingInput>
  server: ShownServer
  /** Undefined while it loads, after an error, and without the permission. */
  entitlement: Entitlement | undefined
}

export const ListingContext = createContext<ListingEditor | undefined>(undefined)

export function useListing(): ListingEditor {
  const editor = use(ListingContext)
  if (editor === undefined) throw new Error('useListing needs a ListingContext')
  return editor
}

export function useListingForm(server: ShownServer, entitlement: Entitlement | undefined): Form<ListingInput> {
  const update = useUpdateServer(server)
  const groups = [...(entitlement?.groups ?? []), ...(server.group ? [server.group] : [])]
  const isReadOnly = (name: ServerFieldName) => !hasPermission(server, serverField(name).permission)
  return useForm({
    schema: ListingSchema,
    stored: server as UpdatedServer,
    valuesOf: toListingInput,
    draft: useDraftKey(`listing.${server.public_id}`),
    parts: SERVER_FIELD_NAMES.filter((name) => !isReadOnly(name)).map((name) => ({
      name,
      label: serverField(name).label(),
      show: (values: ListingInput) => shownValue(name, values, groups) ?? m.common_none(),
    })),
    // Removing a value needs no benefit.
    locked: (values) => [
      ...SERVER_FIELD_NAMES.filter(isReadOnly),
      ...BENEFIT_FIELDS.filter((name) => entitlement && !unlocks(entitlement, name) && !isInitial(name, values[name])),
    ],
    submit: async (values, { changed, ifMatch, previous }) => {
      const bodyOf = (from: object) => Object.fromEntries(Object.entries(from).filter(([name]) => changed.some((each) => each === name)))
      const saved = await update.mutateAsync({ body: bodyOf(values), ifMatch })
      // A promotion is taken from another server, which would not get it back.
      const hasPromotion = saved.promoted && !previous.promoted
      if (hasPromotion || !changed.every((name) => UNDOABLE.includes(serverField(name).control))) toastSuccess(m.servers_listing_saved())
      else toastUndo(m.servers_listing_saved(), undefined, () => update.mutateAsync({ body: bodyOf(previous), ifMatch: saved.version }))
      return saved
    },
  })
}

/** A change of only such fields can be undone with one click. */
const UNDOABLE: readonly Control[] = ['switch', 'tags', 'group']

type Show = (value: unknown, name: ServerFieldName, groups: Entitlement['groups']) => ReactNode

const asText: Show = (value, name) => fieldText(name, value as string)

const SHOW: Readonly<Record<Control, Show>> = {
  line: asText,
  lines: asText,
  url: asText,
  number: (value) => formatNumber(value as number),
  language: asText,
  region: asText,
  tags: (tags) => (tags as string[]).join(', '),
  switch: (isOn) => (isOn === true ? m.servers_listing_on() : m.servers_listing_off()),
  image: (image, name) => <img src={(image as FormImage)?.url} alt={serverField(name).label()} className="mt-1 size-12 rounded-6" />,
  group: (id, _, groups) => groups.find((group) => group.id === id)?.name ?? m.servers_listing_group_unknown(),
  choice: asText,
  vanity_id: (id) => <span className="font-mono">@{id as string}</span>,
}

/** The value of a field, as people read it. Null for a field without a value. */
export function shownValue(name: ServerFieldName, values: ListingInput, groups: Entitlement['groups']): ReactNode {
  const value = values[name]
  return value === null || value === '' ? null : SHOW[serverField(name).control](value, name, groups) || null
}
