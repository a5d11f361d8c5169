/** What test files have started. Files of one worker share modules, so `tests/setup.ts` cleans up after each file. */
export interface Running {
  /** Logged warnings since the last call. */
  takeLogs?(): string[]
  close(): Promise<void>
}

/** Closed after the file that started them, the latest first. */
export const running = new Set<Running>()

export const closeAfterFile = (close: () => Promise<void>): void => void running.add({ close })
