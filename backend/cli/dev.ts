/** Development mode: Vite serves the pages on the panel's port, and the backend restarts on changes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'vite'
import { readEnv } from '#backend/platform/env.ts'

/** Developers open the panel's port, and Vite proxies API calls to the backend at this offset. */
const BACKEND_PORT_OFFSET = 1000

export async function dev(): Promise<void> {
  const env = readEnv()
  const port = env.PORT + BACKEND_PORT_OFFSET
  const backend = watchBackend(port)
  const vite = await createServer({
    server: {
      port: env.PORT,
      strictPort: true,
      host: env.HOST,
      proxy: Object.fromEntries(
        ['/api', '/local-discord', '/announce'].map((path) => [path, { target: `http://127.0.0.1:${port}`, xfwd: true }]),
      ),
    },
  })
  await vite.listen()
  process.stdout.write(`\n  Panel (live)  http://localhost:${env.PORT}\n`)
  const stop = () => {
    backend.kill('SIGTERM')
    void vite.close().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function watchBackend(port: number): ChildProcess {
  return spawn(process.execPath, ['--watch-path=backend', '--watch-path=contract', 'backend/cli/serve-for-dev.ts'], {
    stdio: 'inherit',
    env: { ...process.env, PORT: String(port) },
  })
}
