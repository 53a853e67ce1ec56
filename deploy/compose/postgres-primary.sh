#!/bin/sh
# Runs once, in the first server of a new database: an account for the standby.
set -eu
psql --username=building --dbname=building --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/replication)" <<'SQL'
create role replicator login replication password :'password';
SQL
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
