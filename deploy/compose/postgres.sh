#!/bin/sh
# One of two servers. /primary/name says which one takes writes; the other one is its copy, for which each commit waits. A server that
# took writes until the other one was promoted gives its data up for a copy, so that never two take writes.
#
#   promote  this server takes writes from now on; the other one is stopped
set -eu
me=$(hostname)

if [ "${1-}" = promote ]; then
  # No copy is there yet for which commits could wait.
  psql --username=building --dbname=building --set=ON_ERROR_STOP=1 --command='select pg_promote()' --command=checkpoint \
    --command='alter system reset synchronous_standby_names' --command='select pg_reload_conf()'
  echo "$me" >/primary/name
  exit
fi

[ "$me" != postgres-1 ] || [ -s /primary/name ] || echo "$me" >/primary/name
until [ -s /primary/name ]; do sleep 1; done
primary=$(cat /primary/name)
[ "$primary" != "$me" ] || exec docker-entrypoint.sh postgres

ask() {
  PGPASSWORD=$(cat /run/secrets/database) psql --host="$primary" --username=building --dbname=building --no-align --tuples-only --quiet "$@"
}
slot=$(echo "$me" | tr - _)
if [ ! -f "$PGDATA/standby.signal" ]; then
  until ask --command="select pg_create_physical_replication_slot('$slot')
    where not exists (select from pg_replication_slots where slot_name = '$slot')"; do sleep 1; done
  # A promotion begins a timeline. Data of the same or a later one may have what the other server lacks.
  mine=$(pg_controldata "$PGDATA" 2>/dev/null | sed -n "s/^Latest checkpoint's TimeLineID: *//p")
  theirs=$(ask --command="select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int")
  if [ "${mine:-0}" -ge "$theirs" ]; then
    echo "$me took writes no earlier than $primary, which /primary/name names: say which one does, by promote or in that file" >&2
    exit 1
  fi
  find "$PGDATA" -mindepth 1 -delete
  PGPASSWORD=$(cat /run/secrets/replication) gosu postgres pg_basebackup --host="$primary" --username=replicator --pgdata="$PGDATA" \
    --write-recovery-conf --slot="$slot" --checkpoint=fast
  chmod 700 "$PGDATA"
fi
# When it follows, commits wait for it; a primary that it is not there for would take none. Not as a child of the server, which takes
# the end of any child for its own concern.
( (
  until ask --command='select count(*) from pg_stat_replication' 2>/dev/null | grep -q '^1$'; do sleep 1; done
  ask --command="alter system set synchronous_standby_names = 'ANY 1 (*)'" --command='select pg_reload_conf()' || :
) &)
exec docker-entrypoint.sh postgres
