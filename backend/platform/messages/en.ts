/**
 * The sentences of rejections, by code. The sentences of the contract's schemas are in contract/messages.ts, and those of the master list in
 * backend/masterlist/registry/reasons.ts. Texts in product.md and contract.md stay word for word.
 */
import { BENEFIT_KEY_ERRORS } from '#contract/benefits.ts'

/** A text with `{parameters}`, or its plural variants, which `count` selects. */
type Template = string | { readonly one: string; readonly other: string }

export const EN = {
  // Requests
  BODY_INCOMPLETE: 'The request is incomplete.',
  BODY_LENGTH_WRONG: 'The body does not have the length in its Content-Length header.',
  BODY_NOT_JSON: 'The body is not valid JSON.',
  BODY_NOT_OBJECT: 'The body must be a JSON object.',
  BODY_TOO_LARGE: 'The body is too large.',
  BODY_UNEXPECTED: 'This call takes no body. Leave it out.',
  BODY_WRONG_TYPE: 'The body must be sent as application/json.',
  EXPECT_UNSUPPORTED: 'Unsupported Expect header. Leave it out.',
  FIELD_UNKNOWN: 'Unknown field “{name}”. Leave it out.',
  HEADERS_TOO_LARGE: 'The headers are too large.',
  HOST_MISSING: 'The Host header is missing.',
  HOST_NOT_ALLOWED: 'The panel is not available under this name. Open it by its IP address, or set PUBLIC_URL.',
  HOST_REPEATED: 'There are two Host headers. Send one.',
  HTTP_INVALID: 'This is not valid HTTP.',
  IF_MATCH_MALFORMED: 'If-Match must be a version in double quotes, such as "3", or *.',
  PAGE_NOT_FOUND: 'There is no such page.',
  PAGE_TOO_FAR: 'Page numbers end at row {max}. For later rows, send the ID of your last row as after.',
  PARAMETER_UNKNOWN: 'Unknown query parameter “{name}”. This call takes none.',
  REQUEST_NOT_UNDERSTOOD: 'The request could not be understood.',
  REQUEST_TOO_SLOW: 'The request took too long to arrive.',
  SEARCH_NOT_TEXT: "search can't contain control characters or invalid Unicode.",
  TOO_MANY_REQUESTS: {
    one: 'Too many requests. Try again in {count} second.',
    other: 'Too many requests. Try again in {count} seconds.',
  },
  URL_INVALID: 'The address is not a valid URL.',
  VALUE_NOT_STORABLE: 'A value cannot be stored: it contains characters or numbers that are not allowed.',
  VERSION_CONFLICT: 'This was changed in the meantime. Look at the current version, then try again.',

  // Failures on our side
  DATABASE_BUSY:
    'The database is busy with another change to the same data. Try again in a few seconds. If you were changing something, check first whether it went through.',
  DATABASE_READ_ONLY:
    'The database cannot store data right now. Try again in a few seconds. If you were changing something, check first whether it went through.',
  DATABASE_TIMEOUT:
    'The database took too long to answer. Try again in a few seconds. If you were changing something, check first whether it went through.',
  DATABASE_UNREACHABLE:
    'The database cannot be reached right now. Try again in a few seconds. If you were changing something, check first whether it went through.',
  INTERNAL_ERROR: 'Something went wrong on our side. If it happens again, send this ID to the administrator: {id}.',
  RESTARTING: 'The program is restarting. Try again in a few seconds.',

  // Access
  ACCOUNT_BANNED: 'Your account is banned.',
  ACCOUNT_PENDING_DELETION: 'Your account is set for deletion. Cancel the deletion first.',
  ADMIN_ONLY: 'Restricted access. You must have the ADMIN benefit to access this page.',
  BENEFIT_NOT_HELD: 'This needs the benefit {benefit}, which you do not have.',
  BENEFIT_NOT_HELD_BY_OWNER: 'This needs the benefit {benefit}, which the owner of this server does not have.',
  BENEFIT_NOT_HELD_BY_USER: 'This needs the benefit {benefit}, which the user does not have.',
  CROSS_SITE: 'This call came from another website. Open the panel itself and try again.',
  NO_LONGER_ADMINISTRATOR: 'You are no longer an administrator.',
  NOT_SIGNED_IN: 'You are not signed in.',
  PERMISSION_NOT_GRANTED: 'This needs the permission "{permission}", which the owner has not given you.',
  PERMISSION_NOT_GRANTED_FOR_SERVER: 'This needs the permission {permissions}, which the owner of this server has not given you.',

  // API keys
  API_KEY_EXPIRED: "This API key has expired. Create a new one in the panel's settings.",
  API_KEY_LIMIT_REACHED: 'You have reached your limit of {max} API keys. Revoke one first.',
  API_KEY_NOT_ALLOWED: 'API keys cannot make this call. Sign in to the panel instead.',
  API_KEY_NOT_FOUND: 'There is no such API key.',
  API_KEY_REVOKED: "This API key was revoked. Create a new one in the panel's settings.",
  API_KEY_UNKNOWN: 'This API key is unknown. Check that you copied all of it, from msk_ to the end.',
  LEAK_REPORT_TOO_LONG: 'A report without a signature can have at most {max} secrets. Send several reports.',
  SCOPE_MISSING: 'This API key lacks the scope {scope}. Create a key that has it.',

  // Signing in
  SIGN_IN_EXPIRED: 'This sign-in expired or was started elsewhere. Start again.',
  SIGN_IN_NOT_CONFIRMED: 'Discord did not confirm the sign-in. Try again in a moment.',
  SIGN_IN_NOT_SET_UP: 'Sign-in is unavailable: no identity provider is configured.',
  SIGN_IN_USED: 'This sign-in was already used. Start again.',
  TICKET_PROOF_UNCLEAR: 'Send either code and codeVerifier, or playerToken.',

  // Users
  BAN_END_IN_PAST: 'banned_until must be in the future.',
  DELETION_STARTED: "It's too late to cancel: your account is being erased.",
  LAST_ADMINISTRATOR: '{username} is the last administrator. Make another user an administrator first.',
  LAST_ADMINISTRATOR_BAN: "You are the last administrator, so you can't ban yourself. Make another user an administrator first.",
  LAST_ADMINISTRATOR_DELETION:
    "You are the last administrator, so you can't delete your account. Make another user an administrator first.",
  LAST_ADMINISTRATOR_REVOCATION: "You are the last administrator, so you can't give up ADMIN. Make another user an administrator first.",
  USER_NEVER_SIGNED_IN: 'This user has never signed in. They must do so before you can make them an administrator.',
  USER_NOT_FOUND: 'There is no such user.',

  // Servers
  DELETED_SERVER_NOT_FOUND: 'There is no such deleted server. It may have been deleted for good.',
  PIN_LIMIT_REACHED: 'You have pinned {max} servers, which is the limit. Unpin one first.',
  RESTORE_OVER_LIMIT: 'You have reached your limit of {max} servers. Delete another server before you restore this one.',
  SERVER_LIMIT_REACHED: 'You have reached your limit of {max} servers.',
  SERVER_NAME_IN_BIN:
    'A server that you deleted has this name, or one that looks like it. Restore that server, or choose a different name.',
  SERVER_NAME_TAKEN: 'Another server has this name, or one that looks like it. Choose a different name.',
  SERVER_NOT_FOUND: 'There is no such server.',
  VANITY_ID_IS_PUBLIC_ID: "This is a server's public ID. Choose a different vanity ID.",
  VANITY_ID_RESERVED: 'Another server used this vanity ID recently, so it is reserved until {date}. Choose a different one.',
  VANITY_ID_TAKEN: 'Another server has this vanity ID. Choose a different one.',

  // Groups
  GROUP_CHOICE_NOT_FOUND: 'Group: there is no such group. Choose another one.',
  GROUP_LIMIT_REACHED: {
    one: 'You have reached your limit of {count} group.',
    other: 'You have reached your limit of {count} groups.',
  },
  GROUP_NAME_TAKEN: 'Another group of yours has this name. Choose a different name.',
  GROUP_NOT_FOUND: 'There is no such group.',

  // Sessions
  SESSION_NOT_FOUND: 'There is no such session.',

  // Transfers
  ALREADY_YOUR_SERVER: 'This server is already yours. Choose another user.',
  OFFER_EXISTS: 'This server already has a pending transfer. Cancel it first.',
  OFFER_FOR_RECIPIENT_ONLY: 'Only the recipient can accept a transfer. You can cancel it.',
  RECIPIENT_INACTIVE: "This user can't receive servers right now. Choose another user.",
  TRANSFER_NOT_FOUND: 'There is no such transfer. It may have been accepted, cancelled or expired.',

  // Managers
  MANAGEMENT_NOT_FOUND: 'There is no such management grant.',
  MANAGER_INACTIVE: "This user can't manage servers right now.",
  MANAGER_IS_OWNER: 'You already have every permission on your own servers. Choose another user.',
  MANAGER_LIMIT_REACHED: {
    one: 'You have reached your limit of {count} manager.',
    other: 'You have reached your limit of {count} managers.',
  },
  MANAGER_NOT_FOUND: 'There is no such manager of your servers.',

  // Benefits
  BENEFIT_KEY_UNKNOWN: BENEFIT_KEY_ERRORS.unknown,
  BENEFIT_NEEDED_FOR_SETTINGS: BENEFIT_KEY_ERRORS.notHeld,
  BENEFIT_WITHOUT_SETTINGS: BENEFIT_KEY_ERRORS.withoutSettings,
  SETTINGS_SERVER_NOT_FOUND: 'Servers: you have no server {id}.',
  SETTINGS_SERVER_NOT_FOUND_FOR_USER: 'Servers: this user has no server {id}.',
  SETTINGS_SERVERS_UNCLEAR: 'all_servers can be true only if server_ids is empty. Leave one of them out.',

  // Supporters
  PATREON_BODY_INVALID: 'The body is not a membership in Patreon’s format.',
  PATREON_LINK_INVALID: 'The member’s Discord link is not in Patreon’s format.',
  PATREON_TIERS_MISSING: 'The body does not list the tiers the member is entitled to.',
  PROVIDER_NOT_FOUND: 'There is no such provider.',
  SIGNATURE_INVALID: 'The signature does not match the body.',

  // Protection issues
  ISSUE_ALREADY_OPEN: 'The same problem was found again and is already open as another issue. Use that one.',
  ISSUE_CHANGE_EMPTY: 'Set at least one of status, consequence, note and reply.',
  ISSUE_CLOSED: 'This issue is closed, so you cannot reply to it.',
  ISSUE_CLOSED_FOR_CONSEQUENCE: 'This issue is closed. Reopen it to set its consequence.',
  ISSUE_FOR_OWNER_ONLY: "Only the owner can do this. Use the administrators' queue instead.",
  ISSUE_NOT_FOUND: 'There is no such issue.',
  ISSUE_SERVER_GONE: 'The server was deleted or transferred, so this issue cannot be reopened.',
  TOO_MANY_REPLIES: 'You have replied {max} times within a day. Wait until an administrator has read your replies.',

  // Forms
  FORM_BROKEN: 'The form is broken or incomplete. Send it again, as multipart/form-data.',
  FORM_EXPECTED: 'Send this as a form (multipart/form-data).',
  FORM_FILE_MISSING: 'The form has no "file".',
  FORM_FILE_NOT_STORABLE: 'The file cannot be stored right now. Try again in a minute.',
  FORM_FILE_TOO_LARGE: 'The file is too large. The limit is {max} MiB.',
  FORM_PART_NOT_FILE: '"{name}" must be a file.',
  FORM_PART_NOT_TEXT: '"{name}" must be text, not a file.',
  FORM_PART_REPEATED: 'The form has "{name}" more than once.',
  FORM_PART_TOO_LONG: '"{name}" is too long.',
  FORM_PART_UNEXPECTED: 'The form has an unexpected part. Send only {names}.',
  FORM_PURPOSE_MISSING: 'The form has no "purpose". It must be one of {purposes}.',
  FORM_PURPOSE_UNKNOWN: 'The purpose must be one of {purposes}.',

  // Images
  IMAGE_ANIMATED: 'This image is animated. Upload a still image.',
  IMAGE_CHOICE_NOT_FOUND: '{label}: there is no such uploaded image. Upload it again.',
  IMAGE_CHOICE_OTHER_PURPOSE: '{label}: this image was uploaded as "{uploaded}". Upload it again as "{needed}".',
  IMAGE_DAMAGED: 'This image is damaged or incomplete. Save it again and re-upload it.',
  IMAGE_EMPTY: 'The file is empty. Upload a PNG, JPEG or WebP image.',
  IMAGE_FORMAT_UNKNOWN: "This file isn't a readable image. Upload a PNG, JPEG or WebP image.",
  IMAGE_IS_AVIF: 'This is an AVIF. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_BMP: 'This is a BMP. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_GIF: 'This is a GIF. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_HEIC: 'This is an HEIC. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_HTML: 'This is a page (HTML). Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_ICO: 'This is an icon file (ICO). Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_JPEG_2000: 'This is a JPEG 2000. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_JPEG_XL: 'This is a JPEG XL. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_PDF: 'This is a PDF. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_PSD: 'This is a Photoshop file (PSD). Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_SVG: 'This is an SVG. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_TIFF: 'This is a TIFF. Upload a PNG, JPEG or WebP image.',
  IMAGE_IS_ZIP: 'This is a ZIP file. Upload a PNG, JPEG or WebP image.',
  IMAGE_LIMIT_REACHED: 'You have reached your limit of {max} images. Unused images are deleted one day after their upload.',
  IMAGE_NAME_NOT_FOUND: 'No image has this name.',
  IMAGE_NEEDS_MEMORY_16_BIT:
    'This image is saved with 16 bits per colour, which needs too much memory at this size. Save it in another format or make it smaller.',
  IMAGE_NEEDS_MEMORY_INTERLACED:
    'This image is interlaced, which needs too much memory at this size. Save it in another format or make it smaller.',
  IMAGE_NEEDS_MEMORY_LOSSLESS_WEBP:
    'This image is a lossless WebP, which needs too much memory at this size. Save it in another format or make it smaller.',
  IMAGE_NEEDS_MEMORY_PROGRESSIVE_JPEG:
    'This image is a progressive JPEG, which needs too much memory at this size. Save it in another format or make it smaller.',
  IMAGE_NEEDS_MEMORY_TRANSPARENT_WEBP:
    'This image is a WebP with transparency, which needs too much memory at this size. Save it in another format or make it smaller.',
  IMAGE_NEEDS_MEMORY_WEBP_SHAPE:
    'This image is a WebP with a very different aspect ratio, which needs too much memory at this size. Save it in another format or make it smaller.',
  IMAGE_NOT_FOUND: 'There is no such image.',
  IMAGE_PROFILE_TOO_LARGE: 'The colour profile in this image is too large. Save it without one.',
  IMAGE_STORAGE_UNAVAILABLE: 'Image storage is temporarily unavailable. Try again in a minute.',
  IMAGE_SPACE_USED_UP: 'This image would exceed your limit of {max} MiB. Unused images are deleted one day after their upload.',
  IMAGE_TOO_MANY_PIXELS: 'This image has {megapixels} megapixels; the maximum is {max}. Make it smaller.',
  IMAGE_TOO_SLOW: 'This image takes too long to process. Save it again or make it smaller.',
  IMAGE_TOO_WIDE_OR_HIGH: 'This image is {width} × {height} pixels; the maximum is {maxWidth} × {maxHeight}. Make it smaller.',
  IMAGE_UNREADABLE: 'This image could not be read. Save it as a PNG or JPEG and upload it again.',
  IMAGES_UNAVAILABLE: 'Images are temporarily unavailable. Try again in a few seconds.',
  JPEG_DEPTH: 'This JPEG has {bits} bits per colour. Save it with 8.',
  JPEG_SCANS: 'This JPEG has too many scans. Save it as a non-progressive JPEG.',
  PNG_CHUNKS: 'This PNG has too many chunks. Save it again and re-upload it.',
  TOO_MANY_IMAGES_WAITING: 'Too many images are being uploaded. Try again in a few seconds.',
  TOO_MANY_UPLOADS: 'You can upload at most {max} images at once. Wait for the others to finish.',
  UPLOAD_INTERRUPTED: 'The upload was interrupted. Try again.',
  UPLOAD_TOO_SLOW: 'The upload took too long. Try again.',
  UPLOADS_UNAVAILABLE: 'Uploads are temporarily unavailable. Try again in a minute.',

  // Webhooks
  DELIVERY_IS_TEST: 'A test is not sent again. Send a new test.',
  DELIVERY_NOT_FOUND: 'There is no such delivery.',
  WEBHOOK_DISABLED: 'This webhook is disabled. Enable it first.',
  WEBHOOK_DISCORD_SECRET: 'Webhooks for Discord have no secret.',
  WEBHOOK_DISCORD_URL: 'URL must be a Discord webhook, such as https://discord.com/api/webhooks/123/abc.',
  WEBHOOK_LIMIT_REACHED: 'You have reached your limit of {count} webhooks.',
  WEBHOOK_NOT_FOUND: 'There is no such webhook.',
  WEBHOOK_OFFLINE_TOO_SHORT: 'offline_after_seconds must be at least {min}. A silent server leaves the list after that time.',
  WEBHOOK_SERVER_NOT_OWN: 'server_ids must be the public IDs of your servers.',

  // Addresses that users enter
  ADDRESS_CLOSED_EARLY: 'This address closed the connection early, or does not speak HTTP.',
  ADDRESS_COMPRESSES: 'This address sends compressed content although the request does not accept it.',
  ADDRESS_HAS_CREDENTIALS: 'The address must not contain a username or a password.',
  ADDRESS_HAS_PORT: 'The address must not contain a port: only the default HTTPS port is allowed.',
  ADDRESS_HEADERS_TOO_LARGE: 'This address sends more than 16 KB of headers.',
  ADDRESS_HOST_NOT_FOUND: 'There is no such host. Check the spelling of the address.',
  ADDRESS_NOT_FEED: 'This address does not return a news feed.',
  ADDRESS_NOT_HTTPS: 'The address must begin with https://.',
  ADDRESS_NOT_PUBLIC: 'This address is not on the public internet.',
  ADDRESS_NOT_URL: 'This is not a web address.',
  ADDRESS_REDIRECTS: 'This address redirects to another one. Enter that one instead.',
  ADDRESS_STATUS: 'This address answers with status {status} instead of content.',
  ADDRESS_TOO_LARGE: 'This address sends more than 64 KB.',
  ADDRESS_TOO_SLOW: {
    one: 'This address did not send a complete answer within {count} second.',
    other: 'This address did not send a complete answer within {count} seconds.',
  },
  ADDRESS_UNREACHABLE: 'Could not connect to this address.',
  ADDRESS_UNTRUSTED: 'This address has no valid certificate, so it cannot be trusted.',
  ADDRESS_WRONG_TYPE: 'This address has the wrong content type.',
  ADDRESS_WRONG_TYPE_NAMED: 'This address has the wrong content type ({type}).',
  TOO_MANY_FETCHES: 'Too many addresses are being fetched right now. Try again in a moment.',

  // Details of the master list's rejections
  ANNOUNCE_HOST_NOT_PUBLIC: '{field} must name a host on the public internet.',
  ANNOUNCE_NOT_OBJECT: 'The body must be a JSON object with the fields of an announce.',
  LIST_EVENT_ID_INVALID: 'Last-Event-ID must be the ID of an event of this stream.',
  LIST_HOST_REPEATED: 'The request has two Host headers.',
  LIST_SINCE_COMBINED: 'since returns changes of the whole list and cannot be combined. Leave out {names}.',
} as const satisfies Readonly<Record<string, Template>>
