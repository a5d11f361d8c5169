/** Runs the backend without built pages. `dev` restarts it on changes. */
import { run } from '#backend/main.ts'

const running = await run(undefined, false)
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)))
