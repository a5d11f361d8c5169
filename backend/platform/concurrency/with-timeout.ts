/** Rejects with `late` if the action takes longer than `ms`. The action itself continues. */
export async function withTimeout<T>(ms: number, action: Promise<T>, late: Error): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late), ms)
  try {
    return await Promise.race([action, timeout])
  } finally {
    clearTimeout(timer)
  }
}
