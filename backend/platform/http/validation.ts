/** Turns a schema's issues into readable sentences, one for each mistake. */
import type { z } from 'zod'
import { type Sentence, invalidInput } from '#backend/platform/errors.ts'
import { message } from '#backend/platform/messages/message.ts'

type Issue = z.core.$ZodIssue

/** Throws `invalid` with a sentence for each mistake. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalidInput(result.error.issues.flatMap(sentencesOf))
}

/** For calls without query parameters: throws `invalid` with a sentence for each parameter. */
export function rejectParameters(query: unknown): void {
  const names = Object.keys(query ?? {})
  if (names.length === 0) return
  throw invalidInput(names.map((name) => message('PARAMETER_UNKNOWN', { name: shorten(name) })))
}

function sentencesOf(issue: Issue): Sentence[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => message('FIELD_UNKNOWN', { name: shorten(name) }))
  // Reports the issues of the first branch that is more than null. Their paths are relative.
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.filter((branch) => branch.some((inner) => inner.code !== 'invalid_type' || inner.expected !== 'null'))
    const closest = branches[0]
    if (closest !== undefined) return closest.flatMap((inner) => sentencesOf({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  if (issue.path.length === 0 && issue.code === 'invalid_type') return [message('BODY_NOT_OBJECT')]
  return [issue.message]
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
