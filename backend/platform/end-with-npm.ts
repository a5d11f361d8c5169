/**
 * Sends this process SIGTERM when the npm that runs it is gone, because a killed npm forwards no signals. The scripts in package.json pass
 * npm's process ID; a program that something else started never ends this way.
 */
const NPM = '--npm='
const CHECK_MS = 1000

const npm = Number(process.argv.find((arg) => arg.startsWith(NPM))?.slice(NPM.length))

/** The arguments of the command line. */
export const ARGUMENTS: readonly string[] = process.argv.slice(2).filter((arg) => !arg.startsWith(NPM))

// `exec` makes npm the parent. On Windows, `$PPID` stays as it is, or is the process ID of another system.
const timer = npm > 0 && process.platform !== 'win32' ? setInterval(endWithNpm, CHECK_MS).unref() : undefined

function endWithNpm(): void {
  if (process.ppid === npm) return
  forgetNpm()
  process.kill(process.pid, 'SIGTERM')
}

/** For a process that is stopping already: a second signal would end it at once. */
export function forgetNpm(): void {
  clearInterval(timer)
}
