/** Two processes announce with one credential. */
import { accepted, acceptedWith } from '../answers.ts'
import type { Scenario } from '../scenario.ts'

const TWO_PROCESSES = acceptedWith([{ code: 'TWO_PROCESSES', message: 'Message of the notice TWO_PROCESSES.' }])

export const PROCESSES: readonly Scenario[] = [
  {
    name: 'two-processes',
    about: 'Another process announces on another port, and ends.',
    answers: [accepted(2), TWO_PROCESSES, TWO_PROCESSES, accepted(2)],
    announces: 5,
    isReplaced: true,
    seconds: 10,
  },
  {
    name: 'replaced',
    about: 'The server stops after another process has replaced it.',
    answers: [accepted(2), TWO_PROCESSES],
    announces: 3,
    isReplaced: true,
    seconds: 6,
  },
]
