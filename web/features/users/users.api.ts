import type { PublicUser } from '#contract/users/users.ts'
import { call, isStatus } from '#web/lib/http/call.ts'

/** Removes a leading @ and spaces. */
export function normalizeUsername(text: string): string {
  return text.trim().replace(/^@/, '').trim()
}

export function isValidUsername(name: string): boolean {
  return /^[\w.]+$/.test(name)
}

/** Null if no user has this name. */
export async function findUser(username: string): Promise<PublicUser | null> {
  try {
    return await call('GET /api/users/public/discord/{username}', { params: { username } })
  } catch (error) {
    if (isStatus(error, 404)) return null
    throw error
  }
}
