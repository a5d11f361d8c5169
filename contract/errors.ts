/** The error envelope of product.md section 3 and the texts that both sides word alike. */
import { z } from 'zod'

/** The two conflicts that a form shows beside its field (product.md section 3). */
export const BusinessStatus = z.enum(['NAME_ALREADY_EXISTS', 'VANITY_URL_ALREADY_EXISTS'])
export type BusinessStatus = z.output<typeof BusinessStatus>

export const ErrorReply = z
  .object({
    statusCode: z.int(),
    errors: z.array(z.string()).describe('One readable sentence each: what is wrong, what would be right.'),
    isBusiness: z.boolean(),
    businessStatus: BusinessStatus.optional(),
  })
  .meta({ id: 'Error' })
export type ErrorReply = z.output<typeof ErrorReply>

/** The master list's refusals carry, beyond the envelope, a code for programs and what to do about it. */
export const ListErrorReply = ErrorReply.extend({
  code: z.string().optional(),
  remedy: z.string().optional(),
}).meta({ id: 'ListError' })
export type ListErrorReply = z.output<typeof ListErrorReply>
