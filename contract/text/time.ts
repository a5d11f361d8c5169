/** Times in requests and replies. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { documentedAs } from '#contract/api/documented.ts'

export const Time = z.iso.datetime().describe('ISO 8601, UTC.')

const anyBanEnd = z.iso
  .datetime({ error: texts.input_ban_end_invalid })
  // What the database can store: four-digit years and microseconds.
  .regex(/^[2-9]\d{3}-[^.]*(?:\.\d{1,6})?Z$/, { error: texts.input_ban_end_invalid })
  .nullable()
  .optional()

/**
 * When a ban ends. If it is missing, an existing ban keeps its end and a new one has none; null removes the end.
 * The rule checks that it is in the future, by the database's clock.
 */
export const BanEnd = documentedAs(anyBanEnd, {
  type: ['string', 'null'],
  format: 'date-time',
  description: 'When the ban ends automatically. Null for a ban without an end.',
})
