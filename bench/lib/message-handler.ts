/** The child side of `WorkerProcess`. */

/** Replies to each message with its result or error, and exits when the parent disconnects. */
export function handleMessages<Message, Result>(handle: (message: Message) => Result | Promise<Result>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (message: Message) => {
    void (async () => handle(message))().then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
