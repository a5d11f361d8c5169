/** What shares a buffer with the one before it begins when that is done, however that ended. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act)
    this.#last = done.then(nothing, nothing)
    return done
  }
}

const nothing = () => undefined
