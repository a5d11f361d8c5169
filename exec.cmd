@rem `exec` of the scripts in package.json, for Windows. Other shells have it: npm's signals then reach the program, not the shell.
@%*
