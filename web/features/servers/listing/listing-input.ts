/** The values of the listing form, and the context of its fields. */
import { createContext, use } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import { type Server, ServerChanges } from '#contract/servers/servers.ts'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import type { Entitlement } from './entitlement.ts'

export const FORM_FIELDS = [...SERVER_FIELD_NAMES, 'icon_url'] as const

/** `icon_url` follows the icon's ID and is not sent. */
export const ListingSchema = ServerChanges.required().extend({ icon_url: z.string().nullable() })
export type ListingInput = z.input<typeof ListingSchema>

export type ListingForm = UseFormReturn<ListingInput, unknown, z.output<typeof ListingSchema>>

interface ListingEditor {
  form: ListingForm
  values: ListingInput
  server: ShownServer
  /** Undefined while it loads, after an error, and without the permission. */
  entitlement: Entitlement | undefined
}

/** Makes `setValue` behave like user input. */
export const AS_USER_INPUT = { shouldDirty: true, shouldTouch: true, shouldValidate: true } as const

export const ListingContext = createContext<ListingEditor | undefined>(undefined)

export function useListing(): ListingEditor {
  const editor = use(ListingContext)
  if (editor === undefined) throw new Error('useListing needs a ListingContext')
  return editor
}

export function toListingInput(server: Server): ListingInput {
  return Object.fromEntries(FORM_FIELDS.map((name) => [name, server[name]])) as ListingInput
}

/** The fields that the user can see but not edit. */
export function readOnlyFields(server: ShownServer): (keyof ListingInput)[] {
  return FORM_FIELDS.filter((name) => !hasPermission(server, serverField(name === 'icon_url' ? 'icon_image_id' : name).permission))
}
