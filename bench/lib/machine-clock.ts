/** Milliseconds of the machine clock, which all processes share, unlike performance.now(). */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6
