/**
 * `with-name-server.ts RESOLV_CONF SCRIPT`: replaces itself by a Node that runs the script and sees this file as /etc/resolv.conf. Needs Linux
 * and root.
 */
const MOUNT = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
const [file = '', script = ''] = process.argv.slice(2)

// The process ID stays the same.
process.execve?.('/usr/bin/env', ['env', 'unshare', '--mount', 'sh', '-c', MOUNT, file, process.execPath, script], process.env)
