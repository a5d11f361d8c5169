/** Milliseconds of the machine's own clock: the same for all its processes, unlike performance.now(). */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6
