-- What hubs send and the gateway cannot use, field by field; peripheral_uid '' is the hub itself, field '' the whole message or part.
create table report_faults (
  tenant uuid not null,
  thing_name text not null references things on delete cascade,
  peripheral_uid text not null,
  message text not null,
  field text not null,
  reason text not null,
  came text,
  count bigint not null,
  since bigint not null,
  last_at bigint not null,
  ended_at bigint,
  primary key (thing_name, peripheral_uid, message, field)
);
create index report_faults_age on report_faults (last_at);
