import * as contract from '#contract/status/status.ts'
import type { JobRunner } from '#backend/app/job-runner.ts'
import type { Services } from '#backend/app/services.ts'
import { readStatus } from '#backend/app/status/status.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'

export function bindStatus(bind: Bind, deps: Deps, services: Services, jobs: Pick<JobRunner, 'runs'>): void {
  bind(contract.status, () => readStatus(deps, { ...services, jobs }))
}
