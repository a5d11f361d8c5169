/** Reads a form with one file and some texts. The file is streamed to a path, never held in memory. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withTimeout } from '#backend/platform/concurrency/with-timeout.ts'
import { type AppError, invalid, unavailable } from '#backend/platform/errors.ts'

interface FormRule {
  readonly texts: readonly string[]
  readonly file: string
  readonly path: string
  readonly maxBytes: number
}

/** Longer than the listener lets any call take, so that reading ends whatever happens to the call. */
const WITHIN_MS = 80_000

export interface Form {
  readonly texts: ReadonlyMap<string, string>
  readonly hasFile: boolean
}

const MAX_TEXT_BYTES = 200
const BROKEN = 'The form is broken or incomplete. Send it again, as multipart/form-data.'

/** Makes a plugin's routes take forms and nothing else; `readForm` checks their content. */
export async function acceptForms(room: FastifyInstance): Promise<void> {
  room.removeAllContentTypeParsers()
  await room.register(multipart, {
    throwFileSizeLimit: false,
    // A few more than any form has, so that `readForm` can name what is too much.
    limits: { fields: 8, files: 4, parts: 12, fieldNameSize: 100, fieldSize: MAX_TEXT_BYTES, headerPairs: 20 },
  })
  room.addContentTypeParser('*', (_request, _payload, done) => done(invalid('Send this as a form (multipart/form-data).')))
}

/**
 * Reads the request's form to its end, in any order of its parts. Throws `invalid` for one that is broken or takes too long, and for parts that
 * are unknown, repeated, too large or of the wrong kind; not for missing ones.
 */
export async function readForm(request: FastifyRequest, rule: FormRule, withinMs = WITHIN_MS): Promise<Form> {
  const late = invalid(BROKEN)
  try {
    return await withTimeout(withinMs, readParts(request, rule), late)
  } catch (error) {
    if (error === late) request.raw.destroy()
    throw error
  }
}

async function readParts(request: FastifyRequest, rule: FormRule): Promise<Form> {
  // A client that left before this emits nothing any more: the parts would never end.
  if (request.raw.destroyed) throw invalid(BROKEN)
  if (!request.isMultipart()) throw invalid('Send this as a form (multipart/form-data).')
  // The form around the file is small.
  if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + 16 * 1024) throw tooLarge(rule)
  const texts = new Map<string, string>()
  let hasFile = false
  // Everything is read to the end: clients read no answer before they have sent all.
  let problem: AppError | undefined
  try {
    for await (const part of request.parts({ limits: { fileSize: rule.maxBytes } })) {
      const { fieldname } = part
      const isRepeated = texts.has(fieldname) || (hasFile && fieldname === rule.file)
      problem ??= isRepeated ? invalid(`The form has "${fieldname}" more than once.`) : misnamed(rule, part)
      if (part.type === 'field') {
        if (part.valueTruncated) problem ??= invalid(`"${fieldname}" is too long.`)
        if (problem === undefined) texts.set(fieldname, String(part.value))
      } else if (problem !== undefined) part.file.resume()
      else {
        hasFile = true
        problem = await keep(part, rule)
      }
    }
  } catch (error) {
    request.raw.unpipe()
    request.raw.resume()
    throw problem ?? translated(error)
  }
  if (problem !== undefined) throw problem
  return { texts, hasFile }
}

function misnamed({ texts, file }: FormRule, { type, fieldname }: { type: 'file' | 'field'; fieldname?: string }): AppError | undefined {
  const names = [...texts, file].map((name) => `"${name}"`).join(' and ')
  if (fieldname === file) return type === 'file' ? undefined : invalid(`"${file}" must be a file.`)
  if (texts.includes(fieldname ?? '')) return type === 'field' ? undefined : invalid(`"${fieldname}" must be a text, not a file.`)
  return invalid(`The form has a part that is not asked for. It has ${names}.`)
}

async function keep({ file }: MultipartFile, rule: FormRule): Promise<AppError | undefined> {
  await pipeline(file, createWriteStream(rule.path, { flags: 'wx' }))
  return file.truncated ? tooLarge(rule) : undefined
}

function tooLarge({ maxBytes: mostBytes }: FormRule): AppError {
  return invalid(`The file is too large: at most ${mostBytes / 1024 / 1024} MiB are taken.`)
}

function translated(error: unknown): AppError {
  const { syscall, code } = error as NodeJS.ErrnoException
  // Our own disk failed.
  if ((syscall === 'open' || syscall === 'write') && code !== 'ECONNRESET')
    return unavailable('The file can not be taken just now. Try again in a minute.', 60, error)
  return invalid(BROKEN)
}
