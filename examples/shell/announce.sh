#!/usr/bin/env bash
# Keeps a game server on a Muster list. Needs bash 4.4, and curl 7.84 or newer.
#
# Run: MUSTER_URL=https://list.example.com MUSTER_CREDENTIAL=mst_… PORT=7788 MAX_PLAYERS=64 ./announce.sh
# Optional: MUSTER_HOST, MUSTER_PROBE, MUSTER_FAMILIES=4,6
set -u
list=${MUSTER_URL%/}

# Prints the body of the reply, then a line with the status and Retry-After. Fails without a complete reply.
call() { # FAMILY METHOD SECONDS BODY
  # Anyone on this machine can read arguments, so the credential goes through standard input.
  printf 'header = "Authorization: Bearer %s"\n' "$MUSTER_CREDENTIAL" |
    curl ${1:+"-$1"} --request "$2" --max-time "$3" --data "$4" --silent --show-error --config - \
      --header 'Content-Type: application/json' --write-out '\n%{http_code} %header{retry-after}' "${list%/announce}/announce"
}

goodbye() {
  trap '' TERM INT
  kill "${loops[@]}" 2>/dev/null
  wait # for announces in flight
  for family in "${families[@]}"; do
    call "$family" DELETE 3 "{\"port\":$PORT}" >/dev/null 2>&1 && break
  done
  exit 0
}

# Set the other fields from your game.
state() {
  printf '{"port":%d,"maxPlayersCount":%d,"playersCount":%d,"passworded":false,"version":"1.0","branch":"release"%s%s}' \
    "$PORT" "$MAX_PLAYERS" 0 "${MUSTER_HOST:+,\"host\":\"$MUSTER_HOST\"}" "${MUSTER_PROBE:+,\"probe\":\"$MUSTER_PROBE\"}"
}

keep_listed() { # FAMILY
  local backoff=2 printed='' sleeper='' seconds reply message status retry_after
  trap 'kill "$sleeper" 2>/dev/null; exit' TERM
  trap '' INT # Ctrl+C reaches all processes, and goodbye ends this one
  while true; do
    seconds=''
    if reply=$(call "$1" POST 5 "$(state)"); then
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
      [[ $message == "$printed" ]] || printf '%s: %s\n' "${1:+IPv$1: }$status" "$message"
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
}

IFS=, read -ra families <<<"${MUSTER_FAMILIES:-}"
[[ ${#families[@]} -gt 0 ]] || families=('') # what the system chooses
loops=()
trap goodbye TERM INT
for family in "${families[@]}"; do
  keep_listed "$family" &
  loops+=("$!")
done
wait
