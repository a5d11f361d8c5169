/** Platforms and branches as people say them, and which platform a visitor sits at. */

export type System = 'Windows' | 'Linux' | 'macOS'

/** A build for this platform suits every system. */
export const ANY_PLATFORM = 'any'

/** The system that a platform's key stands for; undefined where it says none that is known. */
export function systemOf(platform: string): System | undefined {
  if (/win(?:32|64|dows)?(?:\W|_|$)/.test(platform) && !/darwin/.test(platform)) return 'Windows'
  if (/linux/.test(platform)) return 'Linux'
  if (/darwin|mac/.test(platform)) return 'macOS'
  return undefined
}

/** `x64_win32` as `Windows x64`. What follows no such pattern is shown as it is. */
export function platformName(platform: string): string {
  if (platform === ANY_PLATFORM) return 'every system'
  const system = systemOf(platform)
  const [machine] = /x64|x86|arm64/.exec(platform) ?? []
  return system === undefined ? platform : [system, machine].filter(Boolean).join(' ')
}

const BRANCHES = new Map([
  ['release', { name: 'Release', says: 'Tested, and what players have.' }],
  ['rc', { name: 'RC', says: 'The next release, to try before it is out. Client and server have to be of the same branch.' }],
  ['dev', { name: 'Dev', says: 'Built from the newest sources: for testing only. Client and server have to be of the same branch.' }],
])

export function branchName(branch: string): string {
  return BRANCHES.get(branch)?.name ?? branch
}

/** What one gets on this branch; undefined for one that only the operator knows. */
export function branchDescription(branch: string): string | undefined {
  return BRANCHES.get(branch)?.says
}

/** The known ones first, from the safest on; then the others by their names. */
export function inBranchOrder(branches: Iterable<string>): string[] {
  const known = [...BRANCHES.keys()]
  const place = (branch: string) => (known.includes(branch) ? known.indexOf(branch) : known.length)
  return [...new Set(branches)].toSorted((a, b) => place(a) - place(b) || a.localeCompare(b))
}

/** The system of whoever looks at the page, as the browser tells it; undefined on phones and wherever it is not sure. */
export function visitorSystem(userAgent: string): System | undefined {
  if (/Android|iPhone|iPad|CrOS/.test(userAgent)) return undefined
  if (userAgent.includes('Windows')) return 'Windows'
  if (userAgent.includes('Macintosh')) return 'macOS'
  return userAgent.includes('Linux') ? 'Linux' : undefined
}
