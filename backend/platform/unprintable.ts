/** Values that can't be printed, logged or serialized by accident. */
import { inspect } from 'node:util'

const CENSORED = '[secret]'

export abstract class Unprintable {
  toString(): string {
    return CENSORED
  }

  toJSON(): string {
    return CENSORED
  }

  [inspect.custom](): string {
    return CENSORED
  }
}
