/** The part of the library that the build uses. It has no types of its own. */
declare module 'wawoff2' {
  /** Converts a WOFF2 font to an OpenType font. */
  export function decompress(font: Uint8Array): Promise<Uint8Array>
}
