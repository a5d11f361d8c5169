/** Sending what is many times larger than a socket takes at once, and ending those who do not read it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, finished } from 'node:stream'

const SLICE_BYTES = 64 * 1024

/** How much a reader takes in which time at least, until he has all. */
export interface Pace {
  readonly everyMs: number
  readonly leastBytes: number
}

/**
 * These buffers as one stream for this response, without a copy of any. A reader who does not keep pace is cut off.
 * @param parts several, or a stream of them, which `over` then has to end.
 * @param over is called once, when nobody sends them any more.
 */
export function pacedStream(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  over: () => void,
  pace: Pace,
): Readable {
  let taken = 0
  let isOver = false
  const stream = Readable.from(
    slicesOf(parts, (bytes) => (taken += bytes)),
    { objectMode: false, highWaterMark: SLICE_BYTES },
  )
  const end = () => {
    clearInterval(watch)
    if (!isOver) over()
    isOver = true
  }
  // A response that waits behind another one of its connection never hears that the connection is gone: it takes nothing any more.
  const watch = setInterval(() => {
    const isKept = taken >= pace.leastBytes && !socket.destroyed
    taken = 0
    if (isKept) return
    socket.destroy()
    stream.destroy()
    end()
  }, pace.everyMs)
  watch.unref()
  finished(response, end)
  return stream
}

async function* slicesOf(parts: Iterable<Buffer> | AsyncIterable<Buffer>, onTaken: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      const slice = part.subarray(at, at + SLICE_BYTES)
      onTaken(slice.length)
      yield slice
    }
  }
}
