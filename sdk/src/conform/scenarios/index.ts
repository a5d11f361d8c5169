import type { Scenario } from '../scenario.ts'
import { ACCEPTED } from './accepted.ts'
import { ENDPOINTS } from './endpoints.ts'
import { FAILED } from './failed.ts'
import { FAMILIES } from './families.ts'
import { GOODBYES } from './goodbyes.ts'
import { PROBES } from './probes.ts'
import { PROCESSES } from './processes.ts'
import { REJECTED } from './rejected.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...ACCEPTED,
  ...REJECTED,
  ...FAILED,
  ...GOODBYES,
  ...ENDPOINTS,
  ...FAMILIES,
  ...PROBES,
  ...PROCESSES,
]
