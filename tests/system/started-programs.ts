/** Real programs and their folders. They end with the test. */
import { expect } from 'vitest'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { type Program, discard, killHard, startProgram, temporaryFolder } from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'

/** For a first start. */
export const newFolder = (): string => withTest(temporaryFolder())

/** For a later start: with a database. */
export const usedFolder = (): string => withTest(preparedFolder())

function withTest(folder: string): string {
  closeAfterTest(() => discard(folder))
  return folder
}

/** Starts the program without waiting for it. */
export async function start(...args: Parameters<typeof startProgram>): Promise<Program> {
  const program = await startProgram(...args)
  closeAfterTest(() => killHard(program.child.pid ?? 0))
  return program
}

/** Creates a server of the signed-in user. */
export const create = ({ panelUrl }: Program, cookie: string, name: string): Promise<Response> =>
  fetch(`${panelUrl}/api/users/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ name }),
  })

/** The names of the servers of the signed-in user. */
export async function namesOf({ panelUrl }: Program, cookie: string): Promise<string[]> {
  const response = await fetch(`${panelUrl}/api/users/tokens`, { headers: { cookie } })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return (JSON.parse(text) as { data: { owned: { name: string }[] } }).data.owned.map((server) => server.name)
}
