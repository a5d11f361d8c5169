/** What every feature receives: there are no globals. */
import type { PoolConfig } from 'pg'
import type { Bus } from './cluster/bus.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database/open.ts'
import type { DatabaseHealth } from './database/database-health.ts'
import type { Env } from './env.ts'
import type { FetchPublic, PostPublic } from './outbound/guarded-client.ts'
import type { ResolveWithTtl } from './outbound/resolver.ts'
import type { Log } from './log.ts'

export interface Deps {
  readonly env: Env
  readonly db: Db
  /** For connections outside the pool. */
  readonly connection: PoolConfig
  readonly databaseHealth: Pick<DatabaseHealth, 'isLost' | 'lastResponseAgeMs' | 'failures' | 'pool'>
  readonly clock: Clock
  readonly log: Log
  readonly bus: Bus
  /** The only way to fetch a URL that a user entered. */
  readonly fetchPublic: FetchPublic
  /** The only way to send something to a URL that a user entered. */
  readonly postPublic: PostPublic
  /** Resolves a name that a game server announced. */
  readonly resolveName: ResolveWithTtl
}
