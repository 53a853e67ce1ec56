#!/bin/sh
# The second server: a copy of the first, for which each commit waits once it is there.
set -eu
PGDATA=/var/lib/postgresql/data
PGPASSWORD=$(cat /run/secrets/replication)
export PGPASSWORD
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup --host=postgres-1 --username=replicator --pgdata="$PGDATA" --write-recovery-conf --slot=postgres_2 \
    --checkpoint=fast
  chmod 700 "$PGDATA"
fi
(
  # When it follows, commits wait for it; a primary that it is not there for would take none.
  until PGPASSWORD=$(cat /run/secrets/database) psql --host=postgres-1 --username=building --dbname=building --no-align \
    --tuples-only --command='select count(*) from pg_stat_replication' 2>/dev/null | grep -q '^1$'; do sleep 1; done
  PGPASSWORD=$(cat /run/secrets/database) psql --host=postgres-1 --username=building --dbname=building \
    --command="alter system set synchronous_standby_names = 'ANY 1 (*)'" --command='select pg_reload_conf()' || :
) &
unset PGPASSWORD
exec docker-entrypoint.sh postgres
