/** nginx with the shipped configuration in front of two nodes. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, until } from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'
import type { LoadBalancer } from './load-balancer.ts'

/** Undefined if it is missing. */
export const NGINX = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0)

const SAMPLE = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
const CERTIFICATES = join(import.meta.dirname, '../https-host')

/** The http block of a main configuration that an unprivileged user can run in this folder. */
const mainOf = (folder: string, sites: string) => `
  pid ${folder}/nginx.pid;
  error_log stderr warn;
  daemon off;
  events { }
  http {
    access_log off;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
    ${sites}
  }`

function write(folder: string, sites: string): string {
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, mainOf(folder, sites))
  return file
}

/** Throws what nginx says about the configuration as it is shipped, but with certificates that exist. */
export function checkConfiguration(program: string, folder: string): void {
  const letsEncrypt = join(folder, 'live')
  for (const name of ['panel.example.com', 'list.example.com']) {
    mkdirSync(join(letsEncrypt, name), { recursive: true })
    cpSync(join(CERTIFICATES, 'certificate.pem'), join(letsEncrypt, name, 'fullchain.pem'))
    cpSync(join(CERTIFICATES, 'key.pem'), join(letsEncrypt, name, 'privkey.pem'))
  }
  const file = write(folder, SAMPLE.replaceAll('/etc/letsencrypt/live', letsEncrypt))
  execFileSync(program, ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Without TLS, on free ports. */
export async function nginx(program: string, nodes: readonly [Urls, Urls], folder: string): Promise<LoadBalancer> {
  const ports = [await freePort(), await freePort()]
  const hostOf = (url: string) => new URL(url).host
  const targets: Readonly<Record<string, string>> = {
    '127.0.0.1:3000': hostOf(nodes[0].panelUrl),
    '127.0.0.1:3010': hostOf(nodes[1].panelUrl),
    '127.0.0.1:3001': hostOf(nodes[0].listUrl),
    '127.0.0.1:3011': hostOf(nodes[1].listUrl),
  }
  const [, , panel = '', list = ''] = SAMPLE.split(/^(?=server \{)/m).map((block) =>
    block.replaceAll(/^\s*(listen|server_name|ssl_\w+) .*;$/gm, ''),
  )
  const upstreams = SAMPLE.slice(0, SAMPLE.indexOf('\nserver {')).replaceAll(/127\.0\.0\.1:\d+/g, (each) => targets[each] ?? each)
  const sites = [panel, list].map((block, index) => block.replace('server {', `server {\nlisten 127.0.0.1:${ports[index]};`))
  const file = write(folder, [upstreams, ...sites].join('\n'))
  const child: ChildProcess = spawn(program, ['-e', 'stderr', '-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  closeAfterTest(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [panelUrl = '', listUrl = ''] = ports.map((port) => `http://127.0.0.1:${port}`)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited: ${output}`)
    return (await fetch(`${panelUrl}/healthz`).catch(() => undefined))?.status === 200
  })
  return { panelUrl, listUrl, detectsWithinMs: 2000 }
}

interface Urls {
  readonly panelUrl: string
  readonly listUrl: string
}
