import type { FieldError, FieldErrors } from 'react-hook-form'
import { HttpError, messageOf } from '#web/lib/http/call.ts'

/** Shows each sentence of a rejection: beside its field, or, as `root`, above the buttons. */
export function showErrors(error: unknown, names: readonly string[], setError: (name: string, message: string) => void): void {
  const fields = error instanceof HttpError ? Object.entries(error.fields) : []
  const shown = new Set<string>()
  for (const name of names) {
    const sentences = fields.filter(([path]) => path.split('.', 1)[0] === name).map(([, sentence]) => sentence)
    if (sentences.length > 0) setError(name, sentences.join(', '))
    for (const sentence of sentences) shown.add(sentence)
  }
  const others = (error instanceof HttpError ? error.errors : [messageOf(error)]).filter((sentence) => !shown.has(sentence))
  if (others.length > 0) setError('root', others.join(', '))
}

/** The first message of a field, also if it is about a part of its value. */
export function firstMessage(error: FieldError | FieldErrors | undefined): string | undefined {
  if (typeof error?.message === 'string') return error.message
  return Object.values(error ?? {})
    .map((part) => (typeof part === 'object' ? firstMessage(part as FieldErrors) : undefined))
    .find((message) => message !== undefined)
}
