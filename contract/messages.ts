/**
 * The sentences of the contract's schemas. The backend sends them, and the browser shows them. Each is an export of its own, so that a page
 * bundles only those it uses. Other rejections are in backend/platform/messages/en.ts.
 */

// Any field. `field` starts the sentence.
export const mustBeText = (field: string) => `${field} must be text.`
export const mustBeBoolean = (field: string) => `${field} must be true or false.`
export const mustBeOneOf = (field: string, values: readonly string[]) => `${field} must be one of ${values.join(', ')}.`
export const WEEKS_AGO_RANGE = 'weeks_ago works with the ranges 24h and 7d.'
export const mustBeInRange = (field: string, min: number, max: number | string) => `${field} must be a whole number from ${min} to ${max}.`
export const mustBeGivenOnce = (field: string) => `${field} can be given only once.`
export const isMissing = (field: string) => `${field} is missing.`
export const isTooLong = (field: string, max: number) => `${field} can be at most ${max} characters long.`
export const hasWrongLength = (field: string, min: number, max: number) => `${field} must be ${min} to ${max} characters long.`
export const hasInvisibleCharacters = (field: string) => `${field} can't contain control, text-direction or invisible characters.`
export const namesTooMany = (field: string, max: number, what: string) => `${field} can name at most ${max} ${what}.`

// IDs
export const mustBeId = (field: string) => `${field} must be an ID.`
export const mustBeUserId = (field: string) => `${field} must be the ID of a user.`
export const mustBeGroupId = (field: string) => `${field} must be the ID of a group.`
export const mustBeOwnGroupId = (field: string) => `${field} must be the ID of one of the owner's groups, or null.`
export const mustBeImageId = (field: string) => `${field} must be the ID of an uploaded image, or null.`
export const mustBePublicId = (field: string) => `${field} must be the public ID of a server.`
export const mustBeOwnPublicId = (field: string) => `${field} must be the public ID of one of your servers.`
export const mustBePublicIds = (field: string) => `${field} must be a list of public IDs.`
export const mustBeRowId = (field: string) => `${field} must be the ID of a row.`
export const BEFORE_INVALID = 'before must be the ID of the last entry on the previous page.'

// Addresses
export const mustBeWebAddress = (field: string) => `${field} must be a web address such as https://example.com.`
export const mustBeHttps = (field: string) => `${field} must begin with https://.`
export const mustBeFullUrl = (field: string) =>
  `${field} must be an address with http:// or https:// and a full host name, such as https://example.com.`
export const mustBeHost = (field: string) =>
  `${field} must be a full host name or an IP address, with or without a port, such as play.example.com.`

// Servers
export const GRACE_INVALID = 'grace_seconds must be 3600 (one hour) or 86400 (24 hours). Leave it out to end the old credential at once.'
export const LANGUAGE_UNKNOWN = 'Language must be a code from the list of available languages, such as en or all.'
export const TAGS_NOT_LIST = 'Tags must be a list.'
export const TAG_REPEATED = 'Each tag can be given only once.'
export const hasTooManyTags = (max: number) => `A server can have at most ${max} tags.`
export const VANITY_ID_CHARACTERS = 'Vanity ID can contain a to z, 0 to 9 and single hyphens between them.'
export const VANITY_ID_NOT_ALLOWED = 'This vanity ID is reserved. Choose another one.'

// Managers
export const PERMISSIONS_EMPTY = 'Give at least one permission. To take all of them away, revoke the manager.'
export const PERMISSIONS_NOT_LIST = 'Permissions must be a list.'
export const PERMISSION_REPEATED = 'Each permission can be given only once.'

// API keys and leaks
export const LEAKS_NOT_LIST = 'The body must be a list with at least one leaked secret.'
export const SCOPES_EMPTY = 'Choose at least one scope.'
export const SCOPES_NOT_LIST = 'Scopes must be a list.'
export const SCOPE_REPEATED = 'Each scope can be given only once.'

// Webhooks
export const EVENTS_NOT_LIST = 'events must be a list of event types.'
export const EVENTS_EMPTY = 'Choose at least one event.'
export const EVENT_UNKNOWN = 'events has a type that does not exist. Use types such as server.offline.'
export const EVENT_REPEATED = 'Each event can be given only once.'
export const DISCORD_URL_INVALID = 'URL must be a Discord webhook, such as https://discord.com/api/webhooks/123/abc.'

// Benefits and users
export const BAN_END_INVALID = 'banned_until must be a time such as 2027-01-31T12:00:00Z, or null for a ban without an end.'
export const COLOUR_INVALID = 'Colour must be six hexadecimal digits after a #, such as #3fa2e9.'
export const limitNotNumber = (what: string) => `The maximum number of ${what} must be a whole number, or null for what the tier allows.`
export const limitOutOfRange = (what: string, max: number) => `The maximum number of ${what} must be 0 to ${max}.`
export const tierUnknown = (tiers: readonly string[]) => `tier_id must be one of ${tiers.join(', ')}, or null for the user’s own tier.`

// Inbox
export const IDS_NOT_LIST = 'ids must be a list of notification IDs.'
export const IDS_EMPTY = 'Name at least one notification in ids, or send all: true.'
export const ALL_INVALID = 'all must be true. To mark only some notifications as read, send ids instead.'
export const IDS_OR_ALL = 'Send either ids or all.'

// Preferences
export const TIME_ZONE_UNKNOWN = "time_zone must be an IANA name, such as Europe/Berlin, or null for the browser's time zone."
export const languageUnknown = (codes: readonly string[]) =>
  `language must be one of ${codes.join(', ')}, or null for the browser's language.`

// Lists
export const CURSOR_INVALID = 'cursor is invalid. Use the X-Next-Cursor header of the previous page.'
export const FORMAT_INVALID = 'format must be rows or columns.'
export const ORDER_INVALID = 'order must be asc or desc.'
export const SINCE_INVALID = 'since must be a version of this list. Use the X-List-Version header or the version of a delta.'
