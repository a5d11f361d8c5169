/** The backend alone, without the built pages: what `dev` restarts. */
import { run } from '#backend/main.ts'

const running = await run(undefined, false)
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)))
