/** The part of the library that the public pages use. It has no types of its own. */
declare module 'idiomorph/dist/idiomorph.esm.js' {
  interface Options {
    /** Keeps what the visitor is typing. */
    readonly ignoreActiveValue: boolean
    readonly callbacks: {
      /** Returns false to keep the node. */
      readonly beforeNodeMorphed: (node: Node) => boolean
      /** Returns false to keep the attribute. */
      readonly beforeAttributeUpdated: (name: string) => boolean
    }
  }
  export const Idiomorph: { morph(element: Element, next: Element, options: Options): void }
}
