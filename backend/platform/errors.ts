/** The error for clients: a kind, public sentences and, for the log, a cause. */
import type { BusinessStatus } from '#contract/api/errors.ts'
import { DEFAULT_LANGUAGE } from '#contract/text/panel-languages.ts'
import { runInLanguage } from './messages/language.ts'
import { type Message, type MessageCode, type MessageValues, type PlainCode, message } from './messages/message.ts'
import { render } from './messages/sentence.ts'

/** The HTTP status of each kind. */
export const ERROR_STATUSES = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'precondition-failed': 412,
  'too-many': 429,
  'bad-gateway': 502,
  unavailable: 503,
} as const
type ErrorKind = keyof typeof ERROR_STATUSES

/** A message of the catalogue, or a sentence of the contract's schemas in the language of the request. */
export type Sentence = Message | string

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly sentences: readonly Sentence[]
  readonly business: BusinessStatus | undefined
  readonly retryAfterSeconds: number | undefined
  #fields: ReadonlyMap<string, Sentence>

  constructor(
    kind: ErrorKind,
    sentences: readonly Sentence[],
    more: { business?: BusinessStatus; retryAfterSeconds?: number; cause?: unknown; fields?: ReadonlyMap<string, Sentence> } = {},
  ) {
    // The message is for the log.
    super(
      runInLanguage(DEFAULT_LANGUAGE, () => textsOf(sentences)).join(', '),
      more.cause === undefined ? undefined : { cause: more.cause },
    )
    this.kind = kind
    this.sentences = sentences
    this.business = more.business
    this.retryAfterSeconds = more.retryAfterSeconds
    this.#fields = more.fields ?? new Map()
  }

  /** Names the field of the body that the first sentence is about. */
  inField(path: string): this {
    const [first] = this.sentences
    if (first !== undefined) this.#fields = new Map([[path, first]])
    return this
  }

  /** In the language of the request. */
  get errors(): string[] {
    return textsOf(this.sentences)
  }

  /** The sentence of each wrong field, in the language of the request. Undefined if no field is wrong. */
  get fields(): Record<string, string> | undefined {
    return this.#fields.size === 0 ? undefined : Object.fromEntries([...this.#fields].map(([path, one]) => [path, textOf(one)]))
  }
}

/** Each text once. */
function textsOf(sentences: readonly Sentence[]): string[] {
  return [...new Set(sentences.map(textOf))]
}

const textOf = (sentence: Sentence) => (typeof sentence === 'string' ? sentence : render(sentence))

type Reject = <C extends MessageCode>(code: C, ...values: MessageValues<C>) => AppError

const rejectionOf =
  (kind: ErrorKind): Reject =>
  (code, ...values) =>
    new AppError(kind, [message(code, ...values)])

export const invalid = rejectionOf('invalid')

/** Acts for one field of the body: rejected input is a mistake in it. */
export async function forField<T>(field: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof AppError && error.kind === 'invalid' ? error.inField(field) : error
  }
}

/** One sentence for each mistake. @param fields the first one of each field */
export const invalidInput = (sentences: readonly Sentence[], fields?: ReadonlyMap<string, Sentence>) =>
  new AppError('invalid', sentences, fields && { fields })

/** The API key of the request does not work. A missing session is `forbidden`. */
export const unauthorized = rejectionOf('unauthorized')

export const forbidden = rejectionOf('forbidden')

/** Also for other users' objects, which must look like missing ones. */
export const notFound = rejectionOf('not-found')

/** The value if there is one. Throws `notFound` for undefined. @param field the field of the body that names the value */
export function orNotFound<T>(value: T | undefined, code: PlainCode, field?: string): T {
  if (value !== undefined) return value
  throw field === undefined ? notFound(code) : notFound(code).inField(field)
}

/** A conflict that belongs to no form field. */
export const conflict = rejectionOf('conflict')

export const business = <C extends MessageCode>(status: BusinessStatus, code: C, ...values: MessageValues<C>) =>
  new AppError('conflict', [message(code, ...values)], { business: status })

export const tooMany = <C extends MessageCode>(retryAfterSeconds: number, code: C, ...values: MessageValues<C>) =>
  new AppError('too-many', [message(code, ...values)], { retryAfterSeconds })

export const tooManyRequests = (retryAfterSeconds: number) => tooMany(retryAfterSeconds, 'TOO_MANY_REQUESTS', { count: retryAfterSeconds })

export const badGateway = (code: PlainCode, cause: unknown) => new AppError('bad-gateway', [message(code)], { cause })

export const unavailable = (code: PlainCode, retryAfterSeconds: number, cause?: unknown) =>
  new AppError('unavailable', [message(code)], { retryAfterSeconds, cause })
