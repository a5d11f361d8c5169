/**
 * Sentences with parameters for zod's `error`: functions, so that each is rendered in the language of its reader. The backend sends them, and
 * the browser shows them. Sentences without parameters are messages of `#api-messages`. Each is an export of its own, so that a page bundles
 * only those it uses.
 */
import { m } from '#api-messages'

/** The name that begins a sentence: a field of the JSON, or a message such as `field_name`. */
export type Field = string | (() => string)

const nameOf = (field: Field) => (typeof field === 'string' ? field : field())

// Any field.
export const mustBeText =
  (field: Field) =>
  ({ input }: { readonly input?: unknown } = {}) =>
    input === undefined ? m.input_missing({ field: nameOf(field) }) : m.input_must_be_text({ field: nameOf(field) })
export const mustBeBoolean = (field: Field) => () => m.input_must_be_boolean({ field: nameOf(field) })
export const mustBeOneOf = (field: Field, values: readonly string[]) => () =>
  m.input_must_be_one_of({ field: nameOf(field), values: values.join(', ') })
export const mustBeInRange = (field: Field, min: number, max: number | string) => () =>
  m.input_must_be_in_range({ field: nameOf(field), min, max })
export const mustBeGivenOnce = (field: Field) => () => m.input_given_twice({ field: nameOf(field) })
export const isMissing = (field: Field) => () => m.input_missing({ field: nameOf(field) })
export const isTooLong = (field: Field, max: number) => () => m.input_too_long({ field: nameOf(field), max })
export const hasWrongLength = (field: Field, min: number, max: number) => () => m.input_wrong_length({ field: nameOf(field), min, max })
export const hasRejectedCharacter = (field: Field, character: string) => () =>
  m.input_rejected_character({ field: nameOf(field), character })
export const hasStrayMarks = (field: Field) => () => m.input_stray_marks({ field: nameOf(field) })
export const namesTooManyNotifications = (field: Field, max: number) => () => m.input_too_many_notifications({ field: nameOf(field), max })
export const namesTooManySecrets = (field: Field, max: number) => () => m.input_too_many_secrets({ field: nameOf(field), max })
export const namesTooManyServers = (field: Field, max: number) => () => m.input_too_many_servers({ field: nameOf(field), max })
export const namesTooManyTags = (field: Field, max: number) => () => m.input_too_many_named_tags({ field: nameOf(field), max })

// IDs
export const mustBeId = (field: Field) => () => m.input_must_be_id({ field: nameOf(field) })
export const mustBeUserId = (field: Field) => () => m.input_must_be_user_id({ field: nameOf(field) })
export const mustBeGroupId = (field: Field) => () => m.input_must_be_group_id({ field: nameOf(field) })
export const mustBeOwnGroupId = (field: Field) => () => m.input_must_be_own_group_id({ field: nameOf(field) })
export const mustBeImageId = (field: Field) => () => m.input_must_be_image_id({ field: nameOf(field) })
export const mustBePublicId = (field: Field) => () => m.input_must_be_public_id({ field: nameOf(field) })
export const mustBeOwnPublicId = (field: Field) => () => m.input_must_be_own_public_id({ field: nameOf(field) })
export const mustBePublicIds = (field: Field) => () => m.input_must_be_public_ids({ field: nameOf(field) })
export const mustBeRowId = (field: Field) => () => m.input_must_be_row_id({ field: nameOf(field) })

// Addresses
export const mustBeWebAddress = (field: Field) => () => m.input_must_be_web_address({ field: nameOf(field) })
export const mustBeHttps = (field: Field) => () => m.input_must_be_https({ field: nameOf(field) })
export const mustBeFullUrl = (field: Field) => () => m.input_must_be_full_url({ field: nameOf(field) })
export const mustBeHost = (field: Field) => () => m.input_must_be_host({ field: nameOf(field) })

// Servers
export const hasTooManyTags = (max: number) => () => m.input_too_many_tags({ max })

// Benefits and users
export const maxServersRange = (max: number) => () => m.input_max_servers_range({ max })
export const maxManagersRange = (max: number) => () => m.input_max_managers_range({ max })
export const maxGroupsRange = (max: number) => () => m.input_max_groups_range({ max })
export const tierUnknown = (tiers: readonly string[]) => () => m.input_tier_unknown({ values: tiers.join(', ') })

// Preferences
export const preferredLanguageUnknown = (codes: readonly string[]) => () => m.input_preferred_language_unknown({ values: codes.join(', ') })
