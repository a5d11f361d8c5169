/** Moments that are spread evenly over a span, in no order that a beat could keep step with. */

const GOLDEN_RATIO = 0.618034

/** @param span in any unit, which is the answer's. */
export const spreadOver = (index: number, span: number): number => ((index * GOLDEN_RATIO) % 1) * span
