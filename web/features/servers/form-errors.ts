/** Brings a refusal's sentences to the fields they speak of. */
import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { HttpError, messageOf } from '#web/lib/http-error.ts'

const BEGINNINGS: [RegExp, string][] = [
  [/^Name\b/, 'name'],
  [/^Description\b/, 'description'],
  [/^Language\b/, 'language'],
  [/^(?:Tags|A tag|Each tag|A server can have at most)\b/, 'tags'],
  [/^Game mode\b/, 'game_mode'],
  [/^Website\b/, 'website'],
]

/** The field a sentence is about, by how the contract begins it. */
function fieldOf(sentence: string): string | undefined {
  return BEGINNINGS.find(([beginning]) => beginning.test(sentence))?.[1]
}

/** Shows the refusal: beside its fields where it names them, over the form where it does not. What was typed stays. */
export function showErrors<T extends FieldValues>(error: unknown, fields: readonly Path<T>[], setError: UseFormSetError<T>): void {
  if (error instanceof HttpError && error.businessStatus === 'NAME_ALREADY_EXISTS') {
    setError('name' as Path<T>, { type: 'server', message: error.message }, { shouldFocus: true })
    return
  }
  const sentences = error instanceof HttpError ? error.errors : [messageOf(error)]
  const elsewhere: string[] = []
  for (const sentence of sentences) {
    const field = fields.find((name) => name === fieldOf(sentence))
    if (field) setError(field, { type: 'server', message: sentence }, { shouldFocus: true })
    else elsewhere.push(sentence)
  }
  if (elsewhere.length > 0) setError('root', { type: 'server', message: elsewhere.join(' ') })
}
