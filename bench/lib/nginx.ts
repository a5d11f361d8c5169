/** Runs nginx with one worker that serves prepared files, as a second comparison for list reads. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/program.ts'
import { SERVER_CORE, childrenOf, cpuOfProcessTree, pin } from './cpu.ts'
import type { LoadTarget } from './load.ts'
import { read } from './read.ts'

/** Debian installs it outside the PATH of normal users. */
const PROGRAMS = ['nginx', '/usr/sbin/nginx']

export class Nginx implements LoadTarget {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly port: number

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child
    this.#folder = folder
    this.port = port
  }

  /** undefined if nginx is not installed. */
  static async start(): Promise<Nginx | undefined> {
    const program = PROGRAMS.find((name) => spawnSync(name, ['-v'], { stdio: 'ignore' }).status === 0)
    if (program === undefined) return undefined
    const folder = mkdtempSync(join(tmpdir(), 'muster-bench-nginx-'))
    // If started as root, nginx runs its worker as another user.
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'files'))
    const port = await freePort()
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port))
    const child = spawn(program, ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
    for (let tries = 0; tries < 200 && child.exitCode === null; tries += 1) {
      const response = await read(port, '/').catch(() => undefined)
      if (response !== undefined) {
        pin(child.pid ?? 0, SERVER_CORE)
        const nginx = new Nginx(child, folder, port)
        nginx.#pinWorkers()
        return nginx
      }
      await sleep(20)
    }
    rmSync(folder, { recursive: true, force: true })
    throw new Error('nginx did not start.')
  }

  /** Publishes a file and returns its path. gzip_static serves `gzip`; `br` is sent as it is, with its header. */
  put(file: string, name: string, encoding: 'identity' | 'gzip' | 'br'): string {
    const folder = join(this.#folder, 'files', encoding)
    mkdirSync(folder, { recursive: true })
    copyFileSync(file, join(folder, encoding === 'gzip' ? `${name}.gz` : name))
    return `/${encoding}/${name}`
  }

  cpu(): number {
    return cpuOfProcessTree(this.#child.pid ?? 0)
  }

  databaseCpu(): number {
    return 0
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => {
      this.#child.once('exit', done)
    })
    this.#child.kill()
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #pinWorkers(): void {
    for (const pid of childrenOf(this.#child.pid ?? 0)) pin(pid, SERVER_CORE)
  }
}

function configuration(folder: string, port: number): string {
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  default_type application/json;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=100;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    location /gzip/ { gzip_static always; }
    location /br/ { add_header Content-Encoding br; }
  }
}
`
}
