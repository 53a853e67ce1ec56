#!/bin/sh
# One of two servers. /primary/name says which one takes writes; the other one is its copy, for which each commit waits. A server that
# took writes before it was stopped and another one was promoted gives its data up for a copy: two that take writes would be two truths.
#
#   promote  this server takes writes from now on; the other one is stopped
set -eu
me=$(hostname)

if [ "${1-}" = promote ]; then
  echo "$me" >/primary/name
  # No copy is there yet for which commits could wait.
  exec psql --username=building --dbname=building --command='select pg_promote()' \
    --command='alter system reset synchronous_standby_names' --command='select pg_reload_conf()'
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
