/** Whole HTTP requests as text, to be written to a socket. */
import { type SeededServer, announceBody, playersAt } from './fleet.ts'

/**
 * Two announces of every server, one pass after the other.
 * @param changing how many of ten servers change their player count in each pass
 */
export function announceRequests(fleet: readonly SeededServer[], changing: number): string[] {
  return ([0, 1] as const).flatMap((turn) =>
    fleet.map(({ credential, profile, index }) =>
      announceRequest(credential, announceBody(profile, playersAt(profile, index, turn, changing))),
    ),
  )
}

function announceRequest(credential: string, body: string): string {
  return `POST /announce HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

export function listRequest(path: string, headers: Readonly<Record<string, string>>): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
}
