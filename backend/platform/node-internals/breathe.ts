/** Resolves once what waits for the event loop has had its turn: calls that come in while something long is done in slices. */
export const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))
