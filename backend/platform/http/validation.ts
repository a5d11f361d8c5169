/** Turns a schema's issues into readable sentences, one for each mistake. */
import type { z } from 'zod'
import { type AppError, type Sentence, invalidInput } from '#backend/platform/errors.ts'
import { message } from '#backend/platform/messages/message.ts'

type Issue = z.core.$ZodIssue

interface Mistake {
  readonly sentence: Sentence
  /** The path to the wrong field; undefined if the sentence is about none. */
  readonly field?: string | undefined
}

/** Throws `invalid` with a sentence for each mistake. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return parsed(schema, value, (mistakes) => invalidInput(mistakes.map(({ sentence }) => sentence)))
}

/** Throws `invalid` with a sentence for each mistake, and names the wrong fields. */
export function parseBody<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return parsed(schema, value, (mistakes) => {
    const fields = new Map<string, Sentence>()
    for (const { sentence, field } of mistakes) if (field !== undefined && !fields.has(field)) fields.set(field, sentence)
    return invalidInput(
      mistakes.map(({ sentence }) => sentence),
      fields,
    )
  })
}

function parsed<T extends z.ZodType>(schema: T, value: unknown, rejection: (mistakes: readonly Mistake[]) => AppError): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw rejection(result.error.issues.flatMap(mistakesOf))
}

/** For calls without query parameters: throws `invalid` with a sentence for each parameter. */
export function rejectParameters(query: unknown): void {
  const names = Object.keys(query ?? {})
  if (names.length === 0) return
  throw invalidInput(names.map((name) => message('PARAMETER_UNKNOWN', { name: shorten(name) })))
}

function mistakesOf(issue: Issue): Mistake[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => ({ sentence: message('FIELD_UNKNOWN', { name: shorten(name) }) }))
  // Reports the issues of the first branch that is more than null. Their paths are relative.
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.filter((branch) => branch.some((inner) => inner.code !== 'invalid_type' || inner.expected !== 'null'))
    const closest = branches[0]
    if (closest !== undefined) return closest.flatMap((inner) => mistakesOf({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  if (issue.path.length === 0 && issue.code === 'invalid_type') return [{ sentence: message('BODY_NOT_OBJECT') }]
  return [{ sentence: issue.message, field: issue.path.length === 0 ? undefined : issue.path.join('.') }]
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
