/** What an accepted announce is answered with (contract section 11). */
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Answer } from '#backend/masterlist/wire/answer.ts'
import { inOnePiece } from '#backend/platform/node-internals/prepared-head.ts'

const BEGINNING = '{"publicId":"'
/** Above any wait that is told. */
const MOST_SECONDS = 10_000
/** All that follows the public id, where there are no notices: a handful of texts that all servers share, by seconds and then by the two flags. */
const endings: (string | undefined)[] = []

/** @param seconds until the next announce is due. @param notices their JSON with commas between, empty for nearly every announce. */
export function acceptedAnswer({ fields, isListed }: ServerRecord, seconds: number, notices: string): Answer {
  const isPlain = notices === '' && seconds < MOST_SECONDS
  const ending = isPlain ? plainEnding(isListed, seconds, fields.cloudAuth) : endingOf(isListed, seconds, fields.cloudAuth, notices)
  return { status: 200, body: BEGINNING + fields.publicId + ending, retryAfter: 0, isAscii: notices === '' }
}

function plainEnding(isListed: boolean, seconds: number, hasCloudAuth: boolean): string {
  const place = seconds * 4 + (isListed ? 2 : 0) + (hasCloudAuth ? 1 : 0)
  const known = endings[place]
  if (known !== undefined) return known
  return (endings[place] = inOnePiece(endingOf(isListed, seconds, hasCloudAuth, '')))
}

function endingOf(isListed: boolean, seconds: number, hasCloudAuth: boolean, notices: string): string {
  return `","listed":${isListed},"nextAnnounceSeconds":${seconds},"features":{"cloudAuth":${hasCloudAuth}},"notices":[${notices}]}`
}
