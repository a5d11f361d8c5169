/** What tests have started. Files of one worker share modules, so `tests/setup.ts` cleans up. */
export interface Running {
  /** Logged warnings since the last call. */
  takeLogs?(): string[]
  close(): unknown
}

/** Closed after the test that started them, or after the file if a `beforeAll` did. The latest first. */
export const running = new Set<Running>()

export const closeAfterTest = (close: () => unknown): void => void running.add({ close })
