/** Shell commands that download a build and verify its checksum. */
import type { Build } from '#contract/public-site/downloads.ts'
import { formatNumber } from '#web/lib/format.ts'

/** The file name of a build: the last part of its URL, without characters special to shells. */
export function fileName(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const name = last.replaceAll(/[^\w.+-]/g, '_').replace(/^[.-]+/, '')
  return name === '' ? 'download' : name
}

export function curlCommand({ url, sha256 }: Build): string {
  const name = fileName(url)
  return `curl -fLo ${name} '${url.replaceAll("'", '%27')}' \\\n  && echo '${sha256}  ${name}' | sha256sum -c`
}

export function powerShellCommand({ url, sha256 }: Build): string {
  const name = fileName(url)
  return `Invoke-WebRequest '${url.replaceAll("'", '%27')}' -OutFile ${name}\n(Get-FileHash ${name} -Algorithm SHA256).Hash -eq '${sha256}'`
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `31.5 MB`, in decimal units. */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)))
  const digits = step < 2 ? 0 : 1
  // Intl abbreviates bytes to the singular "byte".
  const unitDisplay = step === 0 ? 'long' : 'short'
  return formatNumber(bytes / 1000 ** step, { style: 'unit', unit: UNITS[step] ?? 'byte', unitDisplay, maximumFractionDigits: digits })
}
