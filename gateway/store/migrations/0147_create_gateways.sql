-- The gateways that work on this database. `seen_at` is written every other second, by the clock of the database; one that was not
-- seen for 30 s is dead, and another takes its row away.
create table gateways (
  id text primary key,
  name text not null,
  version text not null,
  schema integer not null,
  secret_mark text not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);

-- A row for each live connection of a hub or scanner: it is online as long as it has one. Of two with the same client id the higher
-- number counts.
create table hub_connections (
  no bigint generated always as identity primary key,
  thing_name text references things on delete cascade,
  scanner_name text references scanners on delete cascade,
  gateway text not null references gateways on delete cascade,
  client_id text not null,
  since bigint not null,
  check (num_nonnulls(thing_name, scanner_name) = 1)
);
create index hub_connections_thing on hub_connections (thing_name, no) where thing_name is not null;
create index hub_connections_scanner on hub_connections (scanner_name, no) where scanner_name is not null;
create index hub_connections_gateway on hub_connections (gateway);
