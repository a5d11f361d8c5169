/** Whole HTTP requests as text, ready to be written to a socket. */
import { announceBody, type Seeded } from './fleet.ts'

/** How many of ten announces say another number of players than the one before. */
const CHANGED_OF_TEN = 3

export function announceRequests(fleet: readonly Seeded[]): string[] {
  return [0, 1].flatMap((turn) =>
    fleet.map(({ credential }, index) => {
      const players = (index % 200) + (index % 10 < CHANGED_OF_TEN ? turn : 0)
      const body = announceBody(index, players)
      return `POST /announce HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    }),
  )
}

export function listRequest(headers: Readonly<Record<string, string>>): string {
  return `GET /servers HTTP/1.1\r\nHost: localhost\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
}
