/** Offsets spread evenly over a span, in an order that is not periodic. */

const GOLDEN_RATIO = 0.618034

/** @param span in the unit of the result */
export const spreadOver = (index: number, span: number): number => ((index * GOLDEN_RATIO) % 1) * span
