/** The help texts of the command line. */

export const GENERAL_HELP = `Usage: npm run muster -- <command> [options]

  serve       start the panel and the master list
  dev         the same with live reload, for development
  migrate     update the database schema
  backup      back up everything to one file, while Muster runs
  restore     restore such a file
  doctor      check this installation and say what to fix
  announce    try one announce and explain the reply
  demo        fill an empty installation with 200 servers and run it, to try Muster
  simulate    run a fleet of simulated game servers against a running Muster
  admin       grant or revoke administrator rights
  users       make a link that signs a locked-out user in
  protection  dry-run a protection check on stored data
  keys        create and renew the keys that sign the list
  mirror      serve the signed list of another Muster, verified

"npm run muster -- <command> --help" shows the options of a command.
"npm run muster -- --version" shows the release.
`

const COMMAND_HELP: Readonly<Record<string, string>> = {
  serve: `Usage: npm start
       npm run muster -- serve

Starts the panel and the master list. Stop with Ctrl+C. Your data stays in data/.
"npm start" also builds the panel and sets the recommended memory flags.

There are no options. Environment variables configure Muster: see .env.example.
`,

  dev: `Usage: npm run dev

Starts the panel and the master list for development. Changes reload automatically.

There are no options. Environment variables configure Muster: see .env.example.
`,

  migrate: `Usage: npm run muster -- migrate

Updates the database schema and exits. "serve" does the same when it starts.

There are no options. DATABASE_URL selects the database; without it, this is the embedded one in DATA_DIR.
`,

  backup: `Usage: npm run muster -- backup FILE
       npm run muster -- backup --verify FILE

Writes the database and the images to one file, such as /backups/muster.tar.zst. Muster may be running or not.
It also updates erasures.txt in the same folder, which "restore" needs. Both files are secret.

  --verify  restore FILE into a scratch database, compare every row, and delete the scratch database
  --help    show this help
`,

  restore: `Usage: npm run muster -- restore [options] FILE

Restores a backup into an empty DATA_DIR or DATABASE_URL, and compares every row and image. A damaged file changes
nothing. Users who were erased since the backup are erased again, as erasures.txt beside FILE says.

  --erasures LEDGER   another erasures.txt, such as a newer one
  --without-erasures  erase nobody. Users who were erased since the backup come back
  --help              show this help
`,

  doctor: `Usage: npm run muster -- doctor [options]

Checks this installation: configuration, database, clocks, public addresses, proxy, sign-in, outbound
connections and disk. Muster may be running or not. It changes nothing, and never takes longer than a minute.

  --json  print the results as JSON
  --help  show this help

Exit codes: 0 if no check failed, 1 if one did. Warnings and skipped checks count as 0.
`,

  announce: `Usage: npm run muster -- announce [options]

Sends one announce, as a game server does, and explains the reply. The credential is never printed.
Run it on the game server's machine: the first announce binds the credential to the address it comes from.
The server then counts as online until it expires, with the version and branch "test".

  --credential TEXT  the credential. Other users of this machine can see it there, so prefer MUSTER_CREDENTIAL,
                     or MUSTER_CREDENTIAL_FILE for a file that holds it
  --url URL          the address of the master list (default: MASTERLIST_PUBLIC_URL, or this machine's list)
  --port N           the port that players connect to (default 7788)
  --players N        number of players (default 0)
  --max-players N    number of slots (default 1)
  --leave            go offline after the attempt. A game server that uses the credential goes offline too
  --help             show this help

Exit codes:
  0  accepted, and players see the server on the list
  1  wrong options
  2  accepted, but not on the list
  3  rejected
  4  no reply, or not from a master list
`,

  simulate: `Usage: npm run simulate -- [options]

Runs a fleet of simulated game servers against a running Muster until you stop it with Ctrl+C.
It needs the same PORT, MASTERLIST_PORT and DATA_DIR as Muster, and rejects production configurations.

  --servers N         number of servers, 1 to 50000 (default 200)
  --interval SECONDS  seconds between announces, 2 to 3600; "auto" follows the list (default auto)
  --seed N            whole number; the same seed creates the same names and players (default 1)
  --keep              leave the servers on the list when the fleet stops, until they expire
  --answer            listen on each server's port and answer the reachability check
  --help              show this help
`,

  demo: `Usage: npm run demo

Fills an empty installation with 200 servers: icons, banners, 60 days of history, issues, reports and three
accounts. Then it runs Muster and simulated game servers until you stop it with Ctrl+C. "npm run demo" continues.
It changes no installation with accounts of its own, and rejects production configurations.

There are no options. Environment variables configure Muster: see .env.example.
`,

  admin: `Usage: npm run muster -- admin grant DISCORD_ID
       npm run muster -- admin revoke DISCORD_ID

Makes a user an administrator, or takes that role away. The user must have signed in once.

  DISCORD_ID  the Discord ID of the user. Without Discord, their ID that begins with "oidc:"
  --help      show this help
`,

  users: `Usage: npm run muster -- users recover ID

Prints a link that signs the user in once, within an hour: for people whose provider is gone.
Make sure that you send it to the right person. The audit log shows the link, and its use.

  ID      the user's ID or Discord ID, from the page of the user in the administration
  --help  show this help
`,

  protection: `Usage: npm run muster -- protection try KIND [options]

Shows what a protection check would find in stored data. It writes nothing, and Muster may be running.

  KIND      ADDRESS_MISMATCH, REVOKED_CREDENTIAL, IMPLAUSIBLE_PLAYERS, IMPERSONATION or ANNOUNCE_FLOOD
  --days N  days to look back, up to 7 (default 7)
  --json    print all findings as JSON
  --help    show this help
`,

  keys: `Usage: npm run muster -- keys init FOLDER [options]
       npm run muster -- keys renew FOLDER [options]
       npm run muster -- keys rotate-root FOLDER [options]

Makes the keys of the signed list (docs/mirrors.md). It needs no database, and overwrites no file.

  init         make a root key, an online key, and the note in which the first names the second
  renew        make the next online key, and the note in which the root key names it
  rotate-root  make the next root key, and the note in which the former one names it

  FOLDER       where the keys are. The newest keys-N.note is used
  --name NAME  init: the name in the keys (default: the host of MASTERLIST_PUBLIC_URL, or muster)
  --days N     init, renew: how long the online key is valid, 1 to 800 (default 180)
  --root FILE  renew, rotate-root: the file of the root key, if it is not in FOLDER
  --revoke     renew: invalidate the former online keys, such as after a theft
  --help       show this help
`,

  mirror: `Usage: npm run muster -- mirror URL --public-key KEY [options]

Serves the signed list of URL (docs/mirrors.md) until you stop it with Ctrl+C. It verifies everything that it
serves, needs no database, and keeps serving while URL is down. With a folder, it serves at once after a restart.

  URL                 the address of the list, or of another mirror
  --public-key KEY    the public key of the list, which its operator publishes
  --listen HOST:PORT  where to listen (default 127.0.0.1:3002)
  --folder DIR        keep the list in this folder
  --help              show this help
`,
}

export const helpOf = (command: string | undefined): string => COMMAND_HELP[command ?? ''] ?? GENERAL_HELP
