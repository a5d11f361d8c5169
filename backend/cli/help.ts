/** The help texts of the command line. */

export const GENERAL_HELP = `Usage: npm run muster -- <command> [options]

  serve       start the panel and the master list
  dev         the same with live reload, for development
  migrate     update the database schema
  simulate    run a fleet of simulated game servers against a running Muster
  admin       grant or revoke administrator rights
  protection  dry-run a protection check on stored data

"npm run muster -- <command> --help" shows the options of a command.
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

  simulate: `Usage: npm run simulate -- [options]

Runs a fleet of simulated game servers against a running Muster until you stop it with Ctrl+C.
It needs the same PORT, MASTERLIST_PORT and DATA_DIR as Muster, and rejects production configurations.

  --servers N         number of servers, 1 to 50000 (default 200)
  --interval SECONDS  seconds between announces, at least 1; "auto" follows the list (default auto)
  --seed N            whole number; the same seed creates the same names and players (default 1)
  --keep              leave the servers on the list when the fleet stops, until they expire
  --answer            listen on each server's port and answer the reachability check
  --help              show this help
`,

  admin: `Usage: npm run muster -- admin grant DISCORD_ID
       npm run muster -- admin revoke DISCORD_ID

Makes a user an administrator, or takes that role away. The user must have signed in once.

  DISCORD_ID  the Discord ID of the user
`,

  protection: `Usage: npm run muster -- protection try KIND [options]

Shows what a protection check would find in stored data. It writes nothing, and Muster may be running.

  KIND      ADDRESS_MISMATCH, REVOKED_CREDENTIAL, IMPLAUSIBLE_PLAYERS, IMPERSONATION or ANNOUNCE_FLOOD
  --days N  days to look back, up to 7 (default 7)
  --json    print all findings as JSON
  --help    show this help
`,
}

export const helpOf = (command: string | undefined): string => COMMAND_HELP[command ?? ''] ?? GENERAL_HELP
