import { expect, test } from 'vitest'
import type { Build, Product } from '#contract/public-site/downloads.ts'
import { branchesOf, platformName, platformsOf, selectBuilds, sortBranches, systemOf, visitorSystem } from './builds.ts'
import { curlCommand, fileName, powerShellCommand } from './build-details.tsx'
import { sizeText } from '#web/lib/format.ts'

const build = (more: Partial<Build>): Build => ({
  branch: 'release',
  platform: 'x64_linux',
  version: '1.0.0',
  date: '2026-11-02T00:00:00.000Z',
  size: 1,
  sha256: 'a'.repeat(64),
  url: 'https://cdn.example.com/a/server-1.0.0.tar.gz',
  notes: '',
  ...more,
})
const product = (...builds: Build[]): Product => ({ id: 'a', name: 'A', description: '', builds })

test.each([
  ['x64_win32', 'Windows', 'Windows x64'],
  ['x64_linux', 'Linux', 'Linux x64'],
  ['arm64_linux', 'Linux', 'Linux arm64'],
  ['arm64_darwin', 'macOS', 'macOS arm64'],
  ['windows', 'Windows', 'Windows'],
  ['any', undefined, 'all systems'],
  ['wine-bottle', undefined, 'wine-bottle'],
])('%s is for %s and called %s', (platform, system, name) => {
  expect(systemOf(platform)).toBe(system)
  expect(platformName(platform)).toBe(name)
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605', 'macOS'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36', undefined],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', undefined],
])('the user agent %s is %s', (userAgent, system) => {
  expect(visitorSystem(userAgent)).toBe(system)
})

test('known branches come first, safest first, then custom ones', () => {
  expect(sortBranches(['nightly', 'dev', 'release', 'beta', 'rc', 'dev'])).toEqual(['release', 'rc', 'dev', 'beta', 'nightly'])
  expect(branchesOf([product(build({ branch: 'dev' })), product(build({ branch: 'rc' }))])).toEqual(['rc', 'dev'])
})

test("the visitor's own platform comes first, and `any` can't be selected", () => {
  const products = [product(build({ platform: 'x64_win32' }), build({ platform: 'x64_linux' }), build({ platform: 'any' }))]
  expect(platformsOf(products, 'Linux')).toEqual(['x64_linux', 'x64_win32'])
  expect(platformsOf(products, 'Windows')).toEqual(['x64_win32', 'x64_linux'])
  expect(platformsOf(products, undefined)).toEqual(['x64_win32', 'x64_linux'])
})

test('selects the newest build for the platform, its older builds and other platforms', () => {
  const [linux2, windows2, linux1, other] = [
    build({ version: '2' }),
    build({ version: '2', platform: 'x64_win32' }),
    build({ version: '1' }),
    build({ version: '3', branch: 'rc' }),
  ]
  const a = product(linux2, windows2, linux1, other)
  expect(selectBuilds(a, 'release', 'x64_linux')).toEqual({
    build: linux2,
    isForPlatform: true,
    otherPlatforms: [windows2],
    older: [linux1],
  })
  expect(selectBuilds(a, 'rc', 'x64_win32')).toEqual({ build: other, isForPlatform: false, otherPlatforms: [], older: [] })
  expect(selectBuilds(a, 'dev', 'x64_linux')).toBeUndefined()
})

test('falls back to a build for all systems', () => {
  const data = build({ platform: 'any' })
  expect(selectBuilds(product(data), 'release', 'x64_win32')).toMatchObject({ build: data, isForPlatform: true })
})

test('commands name the file and compare its checksum', () => {
  const sha256 = 'a'.repeat(64)
  expect(curlCommand(build({}))).toBe(
    `curl -fLo server-1.0.0.tar.gz 'https://cdn.example.com/a/server-1.0.0.tar.gz' \\\n  && echo '${sha256}  server-1.0.0.tar.gz' | sha256sum -c`,
  )
  expect(powerShellCommand(build({}))).toBe(
    `Invoke-WebRequest 'https://cdn.example.com/a/server-1.0.0.tar.gz' -OutFile server-1.0.0.tar.gz\n(Get-FileHash server-1.0.0.tar.gz -Algorithm SHA256).Hash -eq '${sha256}'`,
  )
})

test.each([
  "https://x.example/a';rm -rf ~;'.zip",
  'https://x.example/$(id).zip',
  'https://x.example/-o.zip?x=1#y',
  'https://x.example/%2e%2e%2f.zip',
])('%s is safe in a shell command', (url) => {
  expect(fileName(new URL(url).href)).toMatch(/^[\w+][\w.+-]*$/)
  expect(curlCommand(build({ url })).match(/'/g)).toHaveLength(4)
  expect(powerShellCommand(build({ url })).match(/'/g)).toHaveLength(4)
})

test.each([
  [1, '1 byte'],
  [0, '0 bytes'],
  [999, '999 bytes'],
  [31_457_280, '31.5 MB'],
  [1000, '1 kB'],
  [1_500_000_000, '1.5 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
