/** Builds the package into `dist/`: ES modules and CommonJS, both with types. */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const FOLDER = import.meta.dirname
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

rmSync(join(FOLDER, 'dist'), { recursive: true, force: true })
for (const config of ['tsconfig.build.json', 'tsconfig.cjs.json'])
  execFileSync(process.execPath, [TSC, '-p', join(FOLDER, config)], { stdio: 'inherit' })
// The package is of type "module", so the CommonJS files need a package.json of their own.
writeFileSync(join(FOLDER, 'dist/cjs/package.json'), '{"type":"commonjs"}\n')
