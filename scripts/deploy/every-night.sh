#!/bin/sh
# Every night at HH:MM, in a container, where no cron is: every-night.sh HH:MM COMMAND…, which is a crawl. One that was missed or
# cut short is made up for at the start; what is missing (3) or an upstream that is away (4) is asked again, as by nightly.sh.
# What the last night came to stands in the log: the next one is begun all the same. After 7 one line on stderr says that
# something is newly closed or lost. A published night is folded into the history of the folder.
at=${1-}
case $at in
  [0-2][0-9]:[0-5][0-9]) date -d "today $at" >/dev/null 2>&1 && [ $# -ge 2 ] ;;
  *) false ;;
esac || {
  echo "metasnap: the first word is the time, as 02:17, then comes the command" >&2
  exit 64
}
shift
stamp=${METASNAP_DATA:-data}/.night
# A shell tells of a child that was ended. A name for it would be set a moment after it begins, and leave it behind. Until it is
# another program it has the traps of this shell and loses a signal, so it is told a second later, and once: twice means at once.
trap 'exec 2>/dev/null; sleep 1; kill $!; wait $!; exit 0' INT TERM

# The shell hears a signal while it waits for what runs beside it, and not before the end of what runs in front.
run() {
  "$@" &
  wait $!
}

night() {
  for pause in ${PAUSES-2h 2h 4h} none; do
    run "$@"
    code=$?
    case $code in
      7)
        echo "metasnap: the night is published, and something is newly closed or lost: its last line names it" >&2
        break
        ;;
      3 | 4) [ "$pause" = none ] || run sleep "$pause" ;;
      *) break ;;
    esac
  done
  case $code in
    0 | 2 | 7) [ ! -e "${METASNAP_DATA:-data}/latest.json" ] || run metasnap history --json ;;
  esac
  # Without a note it would be due again at once.
  touch "$stamp" || run sleep 1h
}

while :; do
  due=$(date -d "today $at" +%s)
  now=$(date +%s)
  [ "$due" -le "$now" ] || due=$((due - 86400))
  last=$(stat -c %Y "$stamp" 2>/dev/null || echo 0)
  # A night of a clock that was ahead counts for none.
  if [ "$last" -lt "$due" ] || [ "$last" -gt "$now" ]; then
    night "$@"
  else
    run sleep $((due + 86400 - now))
  fi
done
