/** The browsers where a user is signed in. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { SessionIdParam } from '#contract/api/path-params.ts'
import { Time } from '#contract/text/time.ts'

export const Session = z
  .object({
    id: z.string(),
    created_at: Time.describe('When the user signed in.'),
    last_seen_at: Time.describe('The last use, accurate to a minute.'),
    browser: z.string().nullable().describe('Such as Firefox. Null if unknown.'),
    os: z.string().nullable().describe('Such as Windows. Null if unknown.'),
    address: z.string().nullable().describe('The address of the last use, masked: `203.0.113.•`. Null if unknown, until the next use.'),
    current: z.boolean().describe('Whether this session made the call.'),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

export const list = endpoint('GET /api/users/sessions', {
  summary: 'List your sessions',
  description: 'The current one first, then the most recently used.',
  access: 'member',
  reply: z.array(Session),
})

export const end = endpoint('DELETE /api/users/sessions/{id}', {
  summary: 'End a session',
  description: 'Its event streams close within 2 seconds. Ending the current session signs you out.',
  access: 'member',
  rejections: { 404: 'No such session, or it is not yours.' },
  params: { id: SessionIdParam },
})

export const endOthers = endpoint('DELETE /api/users/sessions', {
  summary: 'End all other sessions',
  description: 'Only the current session stays. Does nothing if there is no other.',
  access: 'member',
})
