import type { Scenario } from '../scenario.ts'
import { ACCEPTED } from './accepted.ts'
import { FAILED } from './failed.ts'
import { GOODBYES } from './goodbyes.ts'
import { REJECTED } from './rejected.ts'

export const SCENARIOS: readonly Scenario[] = [...ACCEPTED, ...REJECTED, ...FAILED, ...GOODBYES]
