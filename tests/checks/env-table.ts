/**
 * `npm run check:env`: docs/operating.md has the table of every environment variable, and .env.example names each.
 * `npm run check:env -- --write` updates the table.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { OidcVariables } from '#backend/platform/env-oidc.ts'
import { Variables } from '#backend/platform/env.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = join(ROOT, 'docs/operating.md')
const TABLE = /(<!-- variables: npm run check:env -- --write -->\n)[\s\S]*?(<!-- end of variables -->)/

const defaults: Record<string, unknown> = Variables.parse({})

/** A default in the format of `.env`. */
function formatDefault(name: string): string {
  const value = defaults[name]
  if (typeof value === 'boolean') return value ? '`on`' : '`off`'
  if (name === 'DATA_DIR') return `\`${relative(process.cwd(), String(value))}\``
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : ''
}

/** Those of Discord are followed by those of one provider of OpenID Connect. */
const variables = Object.entries(Variables.shape).flatMap(([name, { description = '' }]) => {
  const row = { name, value: formatDefault(name), description }
  const ofProvider = Object.entries(OidcVariables.shape).map(([suffix, schema]) => {
    return { name: `OIDC_NAME_${suffix}`, value: '', description: schema.description ?? '' }
  })
  return name === 'DISCORD_API_URL' ? [row, ...ofProvider] : [row]
})
const rows = variables.map(({ name, value, description }) => `| \`${name}\` | ${value} | ${description} |`)
const table = ['| variable | default | what it does |', '|---|---|---|', ...rows].join('\n')

const page = readFileSync(PAGE, 'utf8')
const next = page.replace(TABLE, (_, begin: string, end: string) => `${begin}${table}\n${end}`)
const faults: string[] = []
if (process.argv.includes('--write')) writeFileSync(PAGE, next)
else if (next !== page || !TABLE.test(page))
  faults.push('The variables in docs/operating.md are out of date. Run: npm run check:env -- --write')
const sample = readFileSync(join(ROOT, '.env.example'), 'utf8')
for (const { name } of variables) if (!sample.includes(`${name}=`)) faults.push(`.env.example lacks ${name}.`)
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
