/** Game servers as their owners see and manage them (contract section 5). The wire calls a server a token in its paths. */
import { z } from 'zod'
import { BENEFIT_FIELDS } from './benefits.ts'
import { endpoint } from './endpoint.ts'
import { LANGUAGE_CODES } from './languages.ts'
import { PERMISSION_KEYS } from './permissions.ts'
import { line, lines, webAddress } from './text.ts'
import { Time } from './time.ts'
import { ServerTransfer } from './transfers.ts'
import { PublicUser } from './users.ts'

export const LIMITS = {
  name: { min: 3, max: 64 },
  description: { max: 280 },
  tags: { count: 4, length: 24 },
  game_mode: { max: 32 },
  website: { max: 255 },
  vanity_url: { min: 3, max: 32 },
} as const

/** Names that a vanity id can't take, because the list's own addresses and the panel's routes use or may come to use them. */
const RESERVED_VANITY: ReadonlySet<string> = new Set(
  (
    'about admin administrator administrators all announce api app assets auth avg banner banners benefits blog cloud-auth contact dashboard ' +
    'dev discord docs download downloads faq favicon group groups health healthz help history home icon icons images info jwks launcher ' +
    'legal list live login logout management manager managers masterlist max me metrics muster new news null official owner owners panel ' +
    'privacy promoted public readyz register rules search server servers settings signin skin staff static stats status stream support ' +
    'system team terms token tokens transfers undefined user users vanity verified www'
  ).split(' '),
)

const VANITY = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export const VanityUrl = z
  .string({ error: 'Vanity id must be a text.' })
  .refine((text) => text.length >= LIMITS.vanity_url.min && text.length <= LIMITS.vanity_url.max, {
    error: 'Vanity id must be 3 to 32 characters long.',
    abort: true,
  })
  .refine((text) => VANITY.test(text), {
    error: 'Vanity id may hold a to z, 0 to 9 and single hyphens between them.',
    abort: true,
  })
  .refine((text) => !RESERVED_VANITY.has(text), { error: 'This vanity id is reserved. Choose another one.' })

const Tags = z
  .array(line({ label: 'A tag', min: 1, max: LIMITS.tags.length }), { error: 'Tags must be a list of texts.' })
  .refine((tags) => tags.length <= LIMITS.tags.count, { error: `A server can have at most ${LIMITS.tags.count} tags.`, abort: true })
  .refine((tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length, {
    error: 'Each tag can be given only once.',
  })

/** A field that null clears, for texts that are never null in answers. */
function clearable<T extends z.ZodType<string>>(text: T) {
  return z.union([z.null().transform(() => ''), text])
}

const fields = {
  name: line({ label: 'Name', ...LIMITS.name }),
  description: clearable(lines({ label: 'Description', ...LIMITS.description })),
  language: z.string({ error: 'Language must be a text.' }).refine((code) => LANGUAGE_CODES.has(code), {
    error: 'Language must be a code of the list of available languages, such as en, or all.',
  }),
  tags: Tags,
  game_mode: clearable(line({ label: 'Game mode', ...LIMITS.game_mode })),
  website: clearable(webAddress('Website')),
  visible: z.boolean({ error: 'Visible must be true or false.' }),
  vanity_url: VanityUrl.nullable(),
  // What is no id at all is told by the rules, after the benefit that both need.
  group_id: z
    .string({ error: "Group must be the id of one of the owner's groups, or null." })
    .max(64, "Group must be the id of one of the owner's groups, or null.")
    .nullable(),
  promoted: z.boolean({ error: 'Promoted must be true or false.' }),
  icon_image_id: z
    .string({ error: 'Icon must be the id of an uploaded image, or null.' })
    .max(64, 'Icon must be the id of an uploaded image, or null.')
    .nullable(),
}

/** What changes a server: any subset of its fields. */
export const ServerChanges = z.strictObject(fields).partial()
export type ServerChanges = z.output<typeof ServerChanges>

/** What creates a server: a name, and whatever else is known already. */
export const NewServer = ServerChanges.extend({ name: fields.name })
export type NewServer = z.output<typeof NewServer>

const ServerStatus = z.enum(['never_seen', 'online', 'offline'])

const LiveState = z
  .object({
    address: z.string().describe('`ip:port`, IPv6 in brackets, or the address of the CDN.'),
    players: z.int(),
    players_confirmed: z.boolean().describe('False while something speaks against the number: it does not lift the rank then.'),
    max_players: z.int(),
    version: z.string(),
    branch: z.string(),
    passworded: z.boolean(),
    last_announce_at: Time,
  })
  .meta({ id: 'LiveState' })

const ListingReason = z.object({
  code: z.string().describe('For programs: LISTED, NEVER_ANNOUNCED, OFFLINE, HIDDEN ... (see the API reference).'),
  message: z.string().describe('For people: what is the case and what to do.'),
  since: Time,
})

const Listing = z
  .object({ listed: z.boolean(), reasons: z.array(ListingReason) })
  .meta({ id: 'Listing', description: 'Whether players see the server on the list, and why or why not.' })

export const Server = z
  .object({
    public_id: z.string().describe('7 characters of 0-9A-Za-z.'),
    user_id: z.string(),
    name: z.string(),
    description: z.string(),
    language: z.string(),
    tags: z.array(z.string()),
    game_mode: z.string(),
    website: z.string(),
    visible: z.boolean(),
    vanity_url: z.string().nullable(),
    group_id: z.string().nullable(),
    group: z.object({ id: z.string(), name: z.string() }).nullable(),
    promoted: z.boolean(),
    icon_image_id: z.string().nullable(),
    icon_url: z.string().nullable(),
    dormant: z
      .array(z.enum(BENEFIT_FIELDS))
      .describe('The fields that are set and that players do not see, because the owner lacks the benefit now.'),
    credential_hint: z.string().describe('The last four characters of the credential.'),
    credential_issued_at: Time,
    credential_last_used_at: Time.nullable(),
    credential_grace_until: Time.nullable().describe('Until when the credential before this one works as well.'),
    previous_credential_last_used_at: Time.nullable().describe('While grace runs: when the credential before this one was last used.'),
    bound_address: z.string().nullable(),
    bound_at: Time.nullable(),
    banned: z.boolean(),
    ban_reason: z.string().nullable(),
    banned_until: Time.nullable().describe('When the ban ends by itself; null for never.'),
    verified: z.boolean().describe('Whether the list vouches for it.'),
    status: ServerStatus,
    live: LiveState.nullable(),
    listing: Listing,
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Server' })
export type Server = z.output<typeof Server>

export const ServerWithCredential = Server.extend({
  credential: z.string().describe('Shown once: here and never again.'),
}).meta({ id: 'ServerWithCredential' })
export type ServerWithCredential = z.output<typeof ServerWithCredential>

/** A server of somebody else, as its manager gets it. `user_id` is the owner. */
export const ManagedServer = Server.extend({
  owner: PublicUser,
  permissions: z.array(z.enum(PERMISSION_KEYS)).describe('What the user may do with it; looking comes with any of them.'),
}).meta({ id: 'ManagedServer' })
export type ManagedServer = z.output<typeof ManagedServer>

export const ManagedServerWithCredential = ManagedServer.extend({
  credential: z.string().describe('Shown once: here and never again.'),
}).meta({ id: 'ManagedServerWithCredential' })
export type ManagedServerWithCredential = z.output<typeof ManagedServerWithCredential>

export const ServerList = z
  .object({
    owned: z.array(Server),
    outgoing_transfers: z.array(ServerTransfer),
    incoming_transfers: z.array(ServerTransfer),
    management: z.array(ManagedServer),
  })
  .meta({ id: 'ServerList' })
export type ServerList = z.output<typeof ServerList>

export const GRACE_SECONDS = [3600, 86_400] as const

export const Reissue = z.strictObject({
  grace_seconds: z
    .literal(GRACE_SECONDS, {
      error: 'Grace must be 3600 (one hour) or 86400 (24 hours) seconds; leave it out to end the old credential at once.',
    })
    .optional(),
})

export const AnnounceAttempt = z
  .object({
    at: Time,
    outcome: z.enum(['accepted', 'refused']),
    code: z.string(),
    message: z.string(),
    remedy: z.string().describe('What to do about it; empty where there is nothing to do.'),
    address: z.string().describe('The address that the announce came from.'),
  })
  .meta({ id: 'AnnounceAttempt' })
export type AnnounceAttempt = z.output<typeof AnnounceAttempt>

const notThere = { 404: 'No such server, or it is not yours.' }

export const list = endpoint('GET /api/users/tokens', {
  summary: 'The servers that the user owns, those handed to or by him, and those he manages for others.',
  access: 'member',
  reply: ServerList,
})

export const create = endpoint('POST /api/users/tokens', {
  summary: 'Registers a server and answers with its credential, once.',
  access: 'member',
  body: NewServer,
  reply: ServerWithCredential,
  rejections: { 409: 'The name or the vanity id is taken.' },
})

export const languages = endpoint('GET /api/users/tokens/availableLanguages', {
  summary: 'The languages a server can be listed under.',
  access: 'member',
  reply: z.array(z.object({ code: z.string(), name: z.string(), native_name: z.string() })),
})

export const get = endpoint('GET /api/users/tokens/{id}', {
  summary: 'One server of the user.',
  access: 'member',
  reply: Server,
  rejections: notThere,
})

export const change = endpoint('PATCH /api/users/tokens/{id}', {
  summary: "Changes any subset of a server's fields.",
  access: 'member',
  body: ServerChanges,
  reply: Server,
  rejections: { ...notThere, 409: 'The name or the vanity id is taken.' },
})

export const remove = endpoint('DELETE /api/users/tokens/{id}', {
  summary: 'Deletes a server; it leaves the list at once and its credential dies.',
  access: 'member',
  envelope: 'none',
  rejections: notThere,
})

export const reissue = endpoint('PATCH /api/users/tokens/{id}/reissue', {
  summary: 'Makes a new credential. Without a body the old one is useless at once; with a grace both work until it ends.',
  access: 'member',
  body: Reissue,
  bodyOptional: true,
  reply: ServerWithCredential,
  rejections: notThere,
})

export const resetAddress = endpoint('PATCH /api/users/tokens/{id}/reset-ip', {
  summary: 'Forgets the bound address; the next announce binds anew.',
  access: 'member',
  reply: Server,
  rejections: notThere,
})

export const announces = endpoint('GET /api/users/tokens/{id}/announces', {
  summary: "The server's last 50 announce attempts, newest first, refused ones too. For its owner and his managers.",
  access: 'member',
  reply: z.array(AnnounceAttempt),
  rejections: notThere,
})
