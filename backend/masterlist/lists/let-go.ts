/**
 * Gives a buffer's memory back at once, not at the engine's next sweep, which on an idle machine may be a long while off: for tens of
 * megabytes that pass through in chunks. Nobody else may have it, and nothing may still be reading or writing it.
 * @param size which it was asked for with, where this is a part of it. One from the pool has another, and stays as it is.
 */
export function letGo({ buffer, length }: Buffer, size = length): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === size) buffer.transfer(0)
}
