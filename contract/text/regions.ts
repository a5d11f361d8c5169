/** The regions of servers. The owner chooses one; the list never measures where a server runs. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from './messages.ts'
import { codeOf, documentedAs } from '#contract/api/documented.ts'

/** The column `region` has the same values in a check constraint. */
export const REGIONS = [
  'eu-west',
  'eu-central',
  'eu-north',
  'eu-east',
  'na-east',
  'na-west',
  'na-central',
  'sa',
  'asia-east',
  'asia-south',
  'asia-southeast',
  'oceania',
  'middle-east',
  'africa',
] as const
export type Region = (typeof REGIONS)[number]

const CODES: readonly string[] = ['', ...REGIONS]
const error = m.mustBeOneOf(texts.field_region, REGIONS)

/** A region that a user chooses. Empty for none. */
export const RegionInput = documentedAs(
  z.string({ error }).refine((code) => CODES.includes(code), { error }),
  {
    type: 'string',
    enum: CODES,
  },
)

/** The region in a reply. */
export const RegionCode = codeOf('Region', CODES, 'Where the server runs, as its owner chose it. Empty if not set.')
