/** The package ships no types; this is what the test uses. */
declare module 'gamedig' {
  export const GameDig: { query(options: Readonly<Record<string, unknown>>): Promise<unknown> }
  export const protocols: Readonly<Record<string, unknown>>
}
