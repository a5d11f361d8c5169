/** The query of `GET /servers`. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { documentedAs } from '#contract/api/documented.ts'
import { FIELD_FILTERS, type FieldFilter } from '#contract/servers/server-field-shapes.ts'
import type { FilterInput } from '#contract/servers/server-fields.ts'
import { wholeNumberText } from '#contract/text/numbers.ts'
import { word } from '#contract/text/text.ts'

const MAX_LIST_ROWS = 1000
/** Rows of a page that has a cursor and no limit. */
export const DEFAULT_LIST_ROWS = 100

const MAX_LIST_IDS = 100

/** Other texts, such as favourites of another list or vanity IDs, are passed over. */
const PUBLIC_ID = /^[0-9A-Za-z]{7}$/

const FIELD_FILTER_SHAPE = Object.fromEntries(
  FIELD_FILTERS.map(({ name, input, description }) => [name, input.optional().describe(description)]),
) as Record<FieldFilter, z.ZodOptional<FilterInput>>

/** Without a query the reply is the whole list as an array. All given filters must match. `since` cannot be combined. */
export const ListQuery = z.object({
  branch: word('branch', 32).optional().describe('Servers on this branch, such as `release`. Case-sensitive.'),
  ...FIELD_FILTER_SHAPE,
  group: word('group', 36).optional().describe('Servers in the group with this `group.id`.'),
  q: word('q', 64)
    .optional()
    .describe(
      'Searches the name, vanity ID, tags, game mode, description and language. Letter case, accents and one typing error do not matter.',
    ),
  ids: documentedAs(
    z
      .string()
      .transform((text) => [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => PUBLIC_ID.test(id)))
      .refine((ids) => ids.length <= MAX_LIST_IDS, { error: m.namesTooManyServers('ids', MAX_LIST_IDS) })
      .optional()
      .describe(
        `Those of these servers that are on the list. Up to ${MAX_LIST_IDS} public IDs, separated by commas. Anything else in it is ignored.`,
      ),
    { type: 'string', example: 'AbCd123,XyZ7890' },
  ),
  limit: wholeNumberText('limit', { min: 1, max: MAX_LIST_ROWS })
    .optional()
    .describe('Rows of a page. The headers `X-Next-Cursor` and `Link` name the next page.'),
  cursor: z
    .string()
    .max(512, { error: texts.input_cursor_invalid })
    .optional()
    .describe(`The \`X-Next-Cursor\` of the previous page. Without \`limit\` a page has ${DEFAULT_LIST_ROWS} rows.`),
  since: z
    .string()
    .regex(/^[\w.-]{1,64}$/, { error: texts.input_since_invalid })
    .optional()
    .describe('A version of the list. The reply is a ListDelta: the changes since. No other parameter is allowed.'),
  format: z
    .enum(['rows', 'columns'], { error: texts.input_format_invalid })
    .optional()
    .describe('`rows`, the default, returns one object for each server. `columns` returns one array for each field.'),
})
