/** The backend without the built pages, which `dev` restarts on changes. */
import { run } from '#backend/main.ts'

const running = await run(undefined, false)
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)))
