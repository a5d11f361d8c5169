/** `--once` and `--dry-run`: one call, and what the list says. */
import { type Reply, checkCredential, isFromList } from '../call.ts'
import { FamilyCalls } from '../family-calls.ts'
import { bodyOf } from '../state.ts'
import { describeOutage, describeRejection, lineOf } from './problem.ts'
import { type AgentSettings, EXIT } from './settings.ts'

type Print = (text: string) => void

/** Announces once. Returns the exit code. */
export async function announceOnce(settings: AgentSettings, print: Print): Promise<number> {
  const reply = await new FamilyCalls(settings, settings.families).announce(bodyOf(settings.state))
  if (reply.result !== 'accepted') return printProblem(reply, print)
  const { publicId, listed, nextAnnounceSeconds } = reply.accepted
  print(`The list accepted the announce of ${publicId}. ${listed ? 'Players see the server.' : 'Players do not see the server.'}`)
  for (const { code, message } of reply.notices) print(`${code}: ${message}`)
  print(`To stay online, announce again in ${nextAnnounceSeconds} seconds.`)
  return 0
}

/** Sends no announce. Returns the exit code. */
export async function dryRun(settings: AgentSettings, print: Print): Promise<number> {
  print(`Would send POST ${settings.url}/announce with ${hint(settings.credential)}:`)
  print(bodyOf(settings.state))
  const reply = await checkCredential(settings)
  if (reply.result === 'accepted') {
    print('The list accepts the credential from this address. The announce itself was not sent.')
    return 0
  }
  // Credentials are checked first, so these say nothing against it.
  if (reply.result === 'rejected' && ['CALL_INVALID', 'CALLED_TOO_OFTEN'].includes(reply.rejection.code)) {
    print('The list accepts the credential from this address. The announce itself was not sent.')
    return 0
  }
  if (reply.result === 'rejected' && reply.rejection.code === 'NOT_FOUND') {
    print('This list is too old to check a credential without an announce. Use --once.')
    return EXIT.offline
  }
  return printProblem(reply, print)
}

function printProblem(reply: Exclude<Reply, { result: 'accepted' }>, print: Print): number {
  if (reply.result === 'failed') {
    print(lineOf(describeOutage(reply)))
    return EXIT.offline
  }
  const isRejection = isFromList(reply.rejection)
  print(`${isRejection ? 'The list rejects it.' : 'The reply is not from a master list.'} ${lineOf(describeRejection(reply.rejection))}`)
  return isRejection ? EXIT.rejected : EXIT.offline
}

/** The public part of a credential. */
function hint(credential: string): string {
  const [, publicId] = /^mst_([0-9A-Za-z]{7})_/.exec(credential) ?? []
  return publicId === undefined ? 'a credential that does not look like one' : `the credential mst_${publicId}_…`
}
