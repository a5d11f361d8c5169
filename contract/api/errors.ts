/** The error envelope. */
import { z } from 'zod'
import { codeOf } from './documented.ts'
import { LIST_ERROR_CODES } from '#contract/masterlist/list-codes.ts'

/** Two conflicts that a form shows next to a field, and a stale `If-Match`. */
export const BusinessStatus = z
  .enum(['NAME_ALREADY_EXISTS', 'VANITY_URL_ALREADY_EXISTS', 'VERSION_CONFLICT'])
  .meta({ id: 'BusinessStatus' })
export type BusinessStatus = z.output<typeof BusinessStatus>

export const ErrorReply = z
  .object({
    statusCode: z.int().describe('The HTTP status.'),
    errors: z.array(z.string()).describe('One sentence for each mistake: what is wrong and how to fix it.'),
    isBusiness: z.boolean().describe('True for the conflicts that have a `businessStatus`.'),
    businessStatus: BusinessStatus.optional().describe('The conflict, for forms.'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'The first sentence about each wrong field of the body. Its name is the path to the field, such as `name` or `tags.0`. A sentence about no field is only in `errors`.',
      ),
  })
  .meta({ id: 'ErrorReply' })
export type ErrorReply = z.output<typeof ErrorReply>

/** The master list adds a code for programs and a remedy for people. */
export const ListErrorReply = ErrorReply.omit({ fields: true })
  .extend({
    code: codeOf('ListErrorCode', LIST_ERROR_CODES, 'What is wrong, for programs.'),
    remedy: z.string().describe('How to fix it. Empty if there is nothing to do.'),
  })
  .meta({ id: 'ListErrorReply' })
export type ListErrorReply = z.output<typeof ListErrorReply>
