/** Rules for numbers that users enter. */
import { z } from 'zod'
import { documentedAs } from '#contract/api/documented.ts'
import * as m from './messages.ts'

interface Range {
  readonly min: number
  readonly max: number
}

export function wholeNumber(label: m.Field, { min, max }: Range) {
  const error = m.mustBeInRange(label, min, max)
  return z.int({ error }).min(min, { error }).max(max, { error })
}

/** A whole number in a query, where it arrives as text. */
export function wholeNumberText(label: m.Field, { min, max }: Range) {
  const error = m.mustBeInRange(label, min, max)
  const text = z
    .string({ error })
    .regex(/^-?\d{1,15}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
  return documentedAs(text, { type: 'integer', minimum: min, maximum: max })
}
