/**
 * The sentences of the contract's schemas, for zod's `error`: functions, so that each is rendered in the language of its reader. The backend
 * sends them, and the browser shows them. Each is an export of its own, so that a page bundles only those it uses. Their texts are in
 * `messages/api`.
 */
import { m } from '#api-messages'

/** The name that begins a sentence: a field of the JSON, or a function of `field-names.ts`. */
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
export const weeksAgoRange = () => m.input_weeks_ago_range()
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
export const beforeInvalid = () => m.input_before_invalid()

// Addresses
export const mustBeWebAddress = (field: Field) => () => m.input_must_be_web_address({ field: nameOf(field) })
export const mustBeHttps = (field: Field) => () => m.input_must_be_https({ field: nameOf(field) })
export const mustBeFullUrl = (field: Field) => () => m.input_must_be_full_url({ field: nameOf(field) })
export const mustBeHost = (field: Field) => () => m.input_must_be_host({ field: nameOf(field) })

// Servers
export const graceInvalid = () => m.input_grace_invalid()
export const groupNotFound = () => m.error_group_choice_not_found()
export const languageUnknown = () => m.input_language_unknown()
export const tagsNotList = () => m.input_tags_not_list()
export const tagRepeated = () => m.input_tag_repeated()
export const hasTooManyTags = (max: number) => () => m.input_too_many_tags({ max })
export const vanityIdCharacters = () => m.input_vanity_id_characters()
export const vanityIdNotAllowed = () => m.input_vanity_id_not_allowed()

// Managers
export const permissionsEmpty = () => m.input_permissions_empty()
export const permissionsNotList = () => m.input_permissions_not_list()
export const permissionRepeated = () => m.input_permission_repeated()

// API keys and leaks
export const leaksNotList = () => m.input_leaks_not_list()
export const scopesEmpty = () => m.input_scopes_empty()
export const scopesNotList = () => m.input_scopes_not_list()
export const scopeRepeated = () => m.input_scope_repeated()

// Webhooks
export const eventsNotList = () => m.input_events_not_list()
export const eventsEmpty = () => m.input_events_empty()
export const eventUnknown = () => m.input_event_unknown()
export const eventRepeated = () => m.input_event_repeated()
export const discordUrlInvalid = () => m.input_discord_url_invalid()

// Benefits and users
export const banEndInvalid = () => m.input_ban_end_invalid()
export const colourInvalid = () => m.input_colour_invalid()
export const maxServersNotNumber = () => m.input_max_servers_not_number()
export const maxServersRange = (max: number) => () => m.input_max_servers_range({ max })
export const maxManagersNotNumber = () => m.input_max_managers_not_number()
export const maxManagersRange = (max: number) => () => m.input_max_managers_range({ max })
export const maxGroupsNotNumber = () => m.input_max_groups_not_number()
export const maxGroupsRange = (max: number) => () => m.input_max_groups_range({ max })
export const tierUnknown = (tiers: readonly string[]) => () => m.input_tier_unknown({ values: tiers.join(', ') })

// Inbox
export const idsNotList = () => m.input_ids_not_list()
export const idsEmpty = () => m.input_ids_empty()
export const allInvalid = () => m.input_all_invalid()
export const idsOrAll = () => m.input_ids_or_all()

// Preferences
export const timeZoneUnknown = () => m.input_time_zone_unknown()
export const preferredLanguageUnknown = (codes: readonly string[]) => () => m.input_preferred_language_unknown({ values: codes.join(', ') })

// Lists
export const cursorInvalid = () => m.input_cursor_invalid()
export const formatInvalid = () => m.input_format_invalid()
export const orderInvalid = () => m.input_order_invalid()
export const sinceInvalid = () => m.input_since_invalid()
