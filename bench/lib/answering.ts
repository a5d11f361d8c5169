/** The other side of `Helper`, in the process that it starts. */

/** Answers each message with a result or an error. If the parent disappears, this process exits, too. */
export function answerEach<Asked, Answered>(answer: (asked: Asked) => Answered | Promise<Answered>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (asked: Asked) => {
    void (async () => answer(asked))().then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
