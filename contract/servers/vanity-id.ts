/** The format of vanity IDs. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'

export const VANITY_ID_LENGTH = { min: 3, max: 32 } as const

/** How many released vanity IDs stay reserved per account. The trigger `release_vanity_id` has the same number. */
export const MAX_RELEASED_VANITY_IDS = 3

/** Reserved vanity IDs: paths that the list and the panel use or may use later. */
const RESERVED_VANITY: ReadonlySet<string> = new Set(
  (
    'about admin administrator administrators all announce api app assets auth avg banner banners benefits blog cloud-auth contact dashboard ' +
    'dev discord docs download downloads faq favicon group groups health healthz help history home icon icons images info jwks launcher ' +
    'legal list live login logout management manager managers masterlist max me metrics muster new news null official owner owners panel ' +
    'privacy promoted public readyz register rules search server servers settings signed signin skin staff static stats status stream support ' +
    'system team terms token tokens transfers undefined user users vanity verified www'
  ).split(' '),
)

const WRONG_LENGTH = { error: m.hasWrongLength(texts.field_vanity_id, VANITY_ID_LENGTH.min, VANITY_ID_LENGTH.max), abort: true }
const VANITY = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export const VanityUrl = z
  .string({ error: m.mustBeText(texts.field_vanity_id) })
  .min(VANITY_ID_LENGTH.min, WRONG_LENGTH)
  .max(VANITY_ID_LENGTH.max, WRONG_LENGTH)
  .regex(VANITY, { error: texts.input_vanity_id_characters, abort: true })
  .refine((text) => !RESERVED_VANITY.has(text), { error: texts.input_vanity_id_not_allowed })
