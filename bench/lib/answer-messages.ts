/** The child side of `WorkerProcess`. */

/** Answers each message with a result or an error, and exits when the parent disconnects. */
export function answerMessages<Message, Result>(answer: (message: Message) => Result | Promise<Result>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (message: Message) => {
    void (async () => answer(message))().then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
