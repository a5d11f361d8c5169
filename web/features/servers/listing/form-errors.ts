import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { BENEFITS } from '#contract/benefit-texts.ts'
import { BENEFIT_FIELDS, FIELD_BENEFITS } from '#contract/benefits.ts'
import { HttpError, messageOf } from '#web/lib/http-error.ts'

/** The beginnings of the backend's messages about each field. */
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

function fieldOf(message: string): string | undefined {
  const benefit = MISSING_BENEFIT.exec(message)?.[1]
  if (benefit !== undefined) return BENEFIT_FIELDS.find((field) => BENEFITS[FIELD_BENEFITS[field]].name === benefit)
  return FIELD_PREFIXES.find(([prefix]) => prefix.test(message))?.[1]
}

/** Messages without a field are shown above the form. */
export function setFormErrors<T extends FieldValues>(error: unknown, fields: readonly Path<T>[], setError: UseFormSetError<T>): void {
  const conflict = error instanceof HttpError ? fields.find((name) => name === CONFLICT_FIELDS[error.businessStatus ?? '']) : undefined
  const messages = error instanceof HttpError && conflict === undefined ? error.errors : [messageOf(error)]
  const others: string[] = []
  for (const message of messages) {
    const field = conflict ?? fields.find((name) => name === fieldOf(message))
    if (field) setError(field, { type: 'server', message }, { shouldFocus: true })
    else others.push(message)
  }
  if (others.length > 0) setError('root', { type: 'server', message: others.join(', ') })
}
