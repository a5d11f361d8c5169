/** The variables of the signed list, and the rules between them. */
import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'
import { z } from 'zod'
import { endOfKey, readKeyNotes } from './key-notes.ts'
import { PrivateKey } from './signed-note.ts'

const PUBLISH_ERROR = 'must be a path, a file:// URL, or the http(s) URL of an S3-compatible bucket'

const privateKey = z.string().transform((text, context): PrivateKey => {
  const key = PrivateKey.parse(text)
  if (key !== undefined) return key
  context.addIssue('must be the content of a file online-N.key of "muster keys"')
  return z.NEVER
})

/** In a variable, `\\n` may stand for a line break. */
const keyNotes = z.string().transform((text, context) => {
  try {
    return readKeyNotes(text.replaceAll(String.raw`\n`, '\n'))
  } catch (error) {
    context.addIssue(`is wrong: the key notes ${(error as Error).message}`)
    return z.NEVER
  }
})

/** A folder's absolute path, or a bucket's URL. */
const publishUrl = z.string().transform((text, context) => {
  if (!/^\w{2,}:/.test(text)) return resolve(text)
  const url = URL.parse(text)
  if (url?.protocol === 'file:' && url.host === '') return fileURLToPath(url)
  if (url !== null && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  context.addIssue(PUBLISH_ERROR)
  return z.NEVER
})

export const isBucket = (target: string): boolean => /^https?:/.test(target)

const urls = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .refine((all) => all.every((url) => URL.canParse(url) && /^https?:/.test(url)), {
    error: 'must be comma-separated URLs that begin with http:// or https://',
  })
  .transform((all) => all.map((url) => url.replace(/\/+$/, '')))

export const SIGNING_VARIABLES = {
  SIGNING_KEY: privateKey.optional().describe('Online key that signs the list, from `muster keys`. Without it, the list is not signed.'),
  SIGNING_KEYS: keyNotes.optional().describe('The notes by which the root key names the online keys: `keys-N.note` of `muster keys`.'),
  MIRRORS: urls.describe('Comma-separated URLs of mirrors, which the signed list names to its readers.'),
  PUBLISH_URL: publishUrl.optional().describe('Folder or S3-compatible bucket to which the signed list is published.'),
  PUBLISH_ACCESS_KEY_ID: z.string().optional().describe('Key ID of that bucket.'),
  PUBLISH_SECRET_ACCESS_KEY: z.string().optional().describe('Secret key of that bucket.'),
  PUBLISH_REGION: z.string().default('auto').describe('Region of that bucket.'),
}

type Parsed = z.output<z.ZodObject<typeof SIGNING_VARIABLES>>

export function signingMistakes(parsed: Parsed): string[] {
  const { SIGNING_KEY: key, SIGNING_KEYS: notes, PUBLISH_URL: target } = parsed
  const mistakes: string[] = []
  if (key !== undefined && notes === undefined) mistakes.push('SIGNING_KEYS must be set if SIGNING_KEY is set.')
  if (key === undefined && notes !== undefined) mistakes.push('SIGNING_KEY must be set if SIGNING_KEYS is set.')
  if (key !== undefined && notes !== undefined && endOfKey(notes, key.publicKey) === undefined)
    mistakes.push(`SIGNING_KEY is a key that SIGNING_KEYS does not name: ${key.publicKey.text}. Set both from one call of "muster keys".`)
  if (key === undefined && target !== undefined) mistakes.push('PUBLISH_URL needs SIGNING_KEY: only a signed list can be published.')
  if (key === undefined && parsed.MIRRORS.length > 0) mistakes.push('MIRRORS needs SIGNING_KEY: only a signed list can have mirrors.')
  const bucketKeys = [parsed.PUBLISH_ACCESS_KEY_ID, parsed.PUBLISH_SECRET_ACCESS_KEY].filter((each) => each !== undefined)
  const hasBucket = target !== undefined && isBucket(target)
  if (hasBucket && bucketKeys.length < 2)
    mistakes.push('PUBLISH_ACCESS_KEY_ID and PUBLISH_SECRET_ACCESS_KEY must be set if PUBLISH_URL is a bucket.')
  if (!hasBucket && bucketKeys.length > 0)
    mistakes.push('PUBLISH_URL must be a bucket if PUBLISH_ACCESS_KEY_ID or PUBLISH_SECRET_ACCESS_KEY is set.')
  return mistakes
}
