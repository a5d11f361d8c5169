/** What the rows are called, one and many, and what was done to them: `['server', 'servers', 'banned']`. */
export type DoneWords = readonly [one: string, many: string, done: string]

/** What became of all of them: `6 of 14 servers banned`, `14 servers banned`. */
export function resultOf(done: number, all: number, [one, many, word]: DoneWords): string {
  const noun = all === 1 ? one : many
  return done === all
    ? `${all.toLocaleString('en')} ${noun} ${word}`
    : `${done.toLocaleString('en')} of ${all.toLocaleString('en')} ${noun} ${word}`
}
