/** The part of the library that the build uses. It has no types of its own. */
declare module 'subset-font' {
  interface Options {
    readonly targetFormat: 'woff2'
    /** OpenType features to keep; all others are dropped. */
    readonly keepFeatures: readonly string[]
    readonly variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>
  }
  /** @param text the characters to keep */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}
