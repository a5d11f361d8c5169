/** Compares versions such as `1.3` and `1.10.2`. A missing part counts as 0. */
export function isNewerVersion(version: string, than: string): boolean {
  const [parts, others] = [version, than].map((text) => text.split('.').map(Number))
  for (const [index, part] of (parts ?? []).entries()) {
    const other = others?.[index] ?? 0
    if (part !== other) return part > other
  }
  return false
}

/** Undefined for an empty list. */
export function newestVersion(versions: readonly string[]): string | undefined {
  return versions.toSorted((a, b) => (isNewerVersion(a, b) ? -1 : 1))[0]
}
