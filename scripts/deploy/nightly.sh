#!/bin/sh
# One night, for cron: nightly.sh LOG [options of crawl], where LOG is absolute. Asks again for what is missing (3) or when
# the upstream is back (4), after hours: an upstream under load needs them. Nothing else mends itself. It ends with 0
# also when nothing has changed (2). If the night is published and something is newly closed or lost (7), it ends with 0 and says
# so in one line on stderr, which cron sends by mail. Any other end is one line on stderr too, with the exit code of the crawl.
# A published night is folded into the history of the folder; if it cannot be, that is one line.
refuse() {
  echo "metasnap: $1" >&2
  exit 64
}
log=${1-}
case $log in
  /*) shift ;;
  *) refuse "the first word is the log, as an absolute path" ;;
esac
(: >>"$log") 2>/dev/null || refuse "$log cannot be written"
command -v metasnap >/dev/null || refuse "metasnap is in no folder of PATH ($PATH); add its folder to PATH in the crontab"
before=
for word; do
  case $word in --data=*) METASNAP_DATA=${word#--data=} ;; esac
  [ "$before" != --data ] || METASNAP_DATA=$word
  before=$word
done
# Cron calls it in a home, where nobody would look for them.
[ -n "${METASNAP_DATA-}" ] || refuse "no folder for the data is named; set METASNAP_DATA in the crontab, or give --data"
export METASNAP_DATA
# The last line of the log, in the words of a terminal.
last() {
  tail -n 1 "$log" | sed 's/^{.*"message":"\(.*\)","hint":"\(.*\)"}$/\1; \2/; s/\\"/"/g; s/\\n/ /g'
}
# Of a part alone there is no night.
fold() {
  [ -e "$METASNAP_DATA/latest.json" ] || return 0
  metasnap history --json >>"$log" 2>&1
  case $? in 0 | 2) ;; *) echo "metasnap: the night is published, but not in the history: $(last)" >&2 ;; esac
}
for pause in ${PAUSES-2h 2h 4h} none; do
  metasnap crawl "$@" >>"$log" 2>&1
  code=$?
  case $code in
    0 | 2)
      fold
      exit 0
      ;;
    7)
      # Of the line "published", as JSON or as text.
      parts=$(grep newlyClosed "$log" | tail -n 1 | sed -n 's/.*newlyClosed[": ]*\["\(.*\)"\].*/\1/p' | sed 's/","/; /g')
      echo "metasnap: the night is published, and newly closed: ${parts:-nothing, but answers are lost}" >&2
      fold
      exit 0
      ;;
    3 | 4) [ "$pause" = none ] || sleep "$pause" ;;
    *) break ;;
  esac
done
echo "metasnap: the night ended with $code: $(last)" >&2
exit "$code"
