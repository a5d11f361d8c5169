import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { BENEFITS } from '#contract/benefit-texts.ts'
import { BENEFIT_FIELDS, FIELD_BENEFITS } from '#contract/benefits.ts'
import { HttpError, messageOf } from '#web/lib/http-error.ts'

/** How the backend's sentences about each field begin. */
const FIELD_PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^Name\b/, 'name'],
  [/^Description\b/, 'description'],
  [/^Language\b/, 'language'],
  [/^(?:Tags|A tag|Each tag|A server can have at most)\b/, 'tags'],
  [/^Game mode\b/, 'game_mode'],
  [/^Website\b/, 'website'],
  [/^(?:This )?vanity id\b/i, 'vanity_url'],
  [/^Group\b/, 'group_id'],
  [/^Promoted\b/, 'promoted'],
  [/^Icon\b/, 'icon_image_id'],
]
const MISSING_BENEFIT = /^This needs the benefit ([^,]+),/

const CONFLICT_FIELDS: Readonly<Record<string, string>> = { NAME_ALREADY_EXISTS: 'name', VANITY_URL_ALREADY_EXISTS: 'vanity_url' }

function fieldOf(sentence: string): string | undefined {
  const benefit = MISSING_BENEFIT.exec(sentence)?.[1]
  if (benefit !== undefined) return BENEFIT_FIELDS.find((field) => BENEFITS[FIELD_BENEFITS[field]].name === benefit)
  return FIELD_PREFIXES.find(([prefix]) => prefix.test(sentence))?.[1]
}

/** Sentences about no field are shown above the form. */
export function setFormErrors<T extends FieldValues>(error: unknown, fields: readonly Path<T>[], setError: UseFormSetError<T>): void {
  const conflict = error instanceof HttpError ? fields.find((name) => name === CONFLICT_FIELDS[error.businessStatus ?? '']) : undefined
  const sentences = error instanceof HttpError && conflict === undefined ? error.errors : [messageOf(error)]
  const others: string[] = []
  for (const sentence of sentences) {
    const field = conflict ?? fields.find((name) => name === fieldOf(sentence))
    if (field) setError(field, { type: 'server', message: sentence }, { shouldFocus: true })
    else others.push(sentence)
  }
  if (others.length > 0) setError('root', { type: 'server', message: others.join(', ') })
}
