/** Reads a form with one file and some text fields. The file is streamed to a path, never held in memory. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withTimeout } from '#backend/platform/concurrency/with-timeout.ts'
import { type AppError, invalid, unavailable } from '#backend/platform/errors.ts'
import { joinNames } from '#backend/platform/messages/sentence.ts'

interface FormRule {
  readonly texts: readonly string[]
  readonly file: string
  readonly path: string
  readonly maxBytes: number
}

/** Longer than the listener's request timeout: a last resort, so that reading always ends. */
const TIMEOUT_MS = 80_000

export interface Form {
  readonly texts: ReadonlyMap<string, string>
  readonly hasFile: boolean
}

const MAX_TEXT_BYTES = 200

/** Makes a plugin's routes accept forms only; `readForm` checks their content. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart, {
    throwFileSizeLimit: false,
    // A few more than any form has, so that `readForm` can name the superfluous part.
    limits: { fields: 8, files: 4, parts: 12, fieldNameSize: 100, fieldSize: MAX_TEXT_BYTES, headerPairs: 20 },
  })
  app.addContentTypeParser('*', (_request, _payload, done) => done(invalid('FORM_EXPECTED')))
}

/**
 * Reads the form to its end, with parts in any order. Throws `invalid` if it is broken or takes too long, and for unknown, repeated, too large or
 * mistyped parts. The caller checks for missing parts.
 */
export async function readForm(request: FastifyRequest, rule: FormRule, timeoutMs = TIMEOUT_MS): Promise<Form> {
  const late = invalid('FORM_BROKEN')
  try {
    return await withTimeout(timeoutMs, readParts(request, rule), late)
  } catch (error) {
    if (error === late) request.raw.destroy()
    throw error
  }
}

async function readParts(request: FastifyRequest, rule: FormRule): Promise<Form> {
  // A client that has already left emits nothing, so the parts would never end.
  if (request.raw.destroyed) throw invalid('FORM_BROKEN')
  if (!request.isMultipart()) throw invalid('FORM_EXPECTED')
  // The rest of the form is small.
  if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + 16 * 1024) throw tooLarge(rule)
  const texts = new Map<string, string>()
  let hasFile = false
  // Always reads to the end: clients read no reply before they have sent everything.
  let problem: AppError | undefined
  try {
    for await (const part of request.parts({ limits: { fileSize: rule.maxBytes } })) {
      const { fieldname } = part
      const isRepeated = texts.has(fieldname) || (hasFile && fieldname === rule.file)
      problem ??= isRepeated ? invalid('FORM_PART_REPEATED', { name: fieldname }).inField(fieldname) : partError(rule, part)
      if (part.type === 'field') {
        if (part.valueTruncated) problem ??= invalid('FORM_PART_TOO_LONG', { name: fieldname }).inField(fieldname)
        if (problem === undefined) texts.set(fieldname, String(part.value))
      } else if (problem !== undefined) part.file.resume()
      else {
        hasFile = true
        problem = await saveFile(part, rule)
      }
    }
  } catch (error) {
    request.raw.unpipe()
    request.raw.resume()
    throw problem ?? readError(error)
  }
  if (problem !== undefined) throw problem
  return { texts, hasFile }
}

function partError(
  { texts, file }: FormRule,
  { type, fieldname = '' }: { type: 'file' | 'field'; fieldname?: string },
): AppError | undefined {
  const names = joinNames([...texts, file].map((name) => `"${name}"`))
  if (fieldname === file) return type === 'file' ? undefined : invalid('FORM_PART_NOT_FILE', { name: file }).inField(file)
  if (texts.includes(fieldname)) return type === 'field' ? undefined : invalid('FORM_PART_NOT_TEXT', { name: fieldname }).inField(fieldname)
  return invalid('FORM_PART_UNEXPECTED', { names })
}

async function saveFile({ file }: MultipartFile, rule: FormRule): Promise<AppError | undefined> {
  await pipeline(file, createWriteStream(rule.path, { flags: 'wx' }))
  return file.truncated ? tooLarge(rule) : undefined
}

function tooLarge({ file, maxBytes }: FormRule): AppError {
  return invalid('FORM_FILE_TOO_LARGE', { max: maxBytes / 1024 / 1024 }).inField(file)
}

function readError(error: unknown): AppError {
  const { syscall, code } = error as NodeJS.ErrnoException
  // Our own disk failed.
  if ((syscall === 'open' || syscall === 'write') && code !== 'ECONNRESET') return unavailable('FORM_FILE_NOT_STORABLE', 60, error)
  return invalid('FORM_BROKEN')
}
