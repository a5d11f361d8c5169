/** A game server on the SDK, as in its README. */
import { announce } from '#sdk/index.ts'

announce()
