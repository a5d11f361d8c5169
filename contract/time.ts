/** How a moment travels. */
import { z } from 'zod'

export const Time = z.iso.datetime().describe('ISO 8601, UTC.')

/**
 * When a ban ends by itself. Left out, a ban that stands keeps its end and a new one has none; null takes the end away. That it lies
 * ahead is the rule's to check, which has the clock.
 */
export const BanEnd = z.iso
  .datetime({ error: 'banned_until must be a time such as 2027-01-31T12:00:00Z, or null for a ban without an end.' })
  .nullable()
  .optional()
  .describe('When the ban ends by itself; null for never.')
