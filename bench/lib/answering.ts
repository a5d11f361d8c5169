/** The other side of `Helper`, in the process that it starts. */

/** Answers each message with one, or with what went wrong. Whoever asked may be gone without a word; then this process goes, too. */
export function answerEach<Asked, Answered>(answer: (asked: Asked) => Answered | Promise<Answered>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (asked: Asked) => {
    void (async () => answer(asked))().then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
