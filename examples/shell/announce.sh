#!/usr/bin/env bash
# Keeps a game server on a Muster list. Needs bash, and curl 7.84 or newer.
#
# Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 ./announce.sh
set -u
list=${MUSTER_URL%/}

# Prints the body of the reply, then a line with the status and Retry-After. Fails without a complete reply.
call() { # METHOD SECONDS [CURL OPTION…]
  local method=$1 timeout=$2
  # Anyone on this machine can read arguments, so the credential goes through standard input.
  printf 'header = "Authorization: Bearer %s"\n' "$MUSTER_CREDENTIAL" |
    curl --silent --show-error --max-time "$timeout" --request "$method" --config - "${@:3}" \
      --write-out '\n%{http_code} %header{retry-after}' "${list%/announce}/announce"
}

goodbye() {
  trap '' TERM INT
  kill "$sleeper" 2>/dev/null
  call DELETE 3 --header 'Content-Type: application/json' --data "{\"port\":$PORT}" >/dev/null 2>&1
  exit 0
}

# Set the other fields from your game.
state() {
  printf '{"port":%d,"maxPlayersCount":%d,"playersCount":%d,"passworded":false,"version":"1.0","branch":"release"}' \
    "$PORT" "$MAX_PLAYERS" 0
}

backoff=2 printed='' sleeper=''
trap goodbye TERM INT
while true; do
  seconds=''
  if reply=$(call POST 5 --header 'Content-Type: application/json' --data "$(state)"); then
    message=${reply%$'\n'*}
    read -r status retry_after <<<"${reply##*$'\n'}"
    if [[ $status == 200 && $message =~ \"nextAnnounceSeconds\":\ *([1-9][0-9]{0,9}) ]]; then
      seconds=${BASH_REMATCH[1]} backoff=2
      ((seconds <= 3600)) || seconds=30 # more than an hour is a mistake
      message=${message/"${BASH_REMATCH[0]}",/} # this number always changes
    elif [[ $status != 200 ]]; then
      # Never give up: the owner can remove the cause in the panel.
      [[ $retry_after =~ ^[1-9][0-9]{0,3}$ ]] && seconds=$retry_after || seconds=30
    fi
    [[ $message == "$printed" ]] || printf '%s: %s\n' "$status" "$message"
    printed=$message
  fi
  if [[ -z $seconds ]]; then # a broken connection or an unusable reply: the list may be restarting
    backoff=$((backoff < 15 ? backoff * 2 : 30))
    seconds=$((backoff / 2 + RANDOM % (backoff / 2)))
  fi
  sleep "$seconds" &
  sleeper=$!
  wait "$sleeper" # unlike sleep itself, a signal interrupts it
done
