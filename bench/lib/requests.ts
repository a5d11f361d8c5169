/** Whole HTTP requests as text, ready to be written to a socket. */
import { type Seeded, announceBody, playersAt } from './fleet.ts'

/**
 * Each server once as it is, then each once again: from one time to the next three of ten say another number of players, as they do after
 * the seeding.
 * @param changing how many of ten say another number each time.
 */
export function announceRequests(fleet: readonly Seeded[], changing: number): string[] {
  return ([0, 1] as const).flatMap((turn) =>
    fleet.map(({ credential, profile, index }) =>
      announceRequest(credential, announceBody(profile, playersAt(profile, index, turn, changing))),
    ),
  )
}

export function announceRequest(credential: string, body: string): string {
  return `POST /announce HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

export function listRequest(path: string, headers: Readonly<Record<string, string>>): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
}
