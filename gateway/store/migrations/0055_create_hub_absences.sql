-- When a hub was away, as far as the gateway knows: what its devices did meanwhile nobody could see. `until` is null while it lasts.
create table hub_absences (
  tenant uuid not null,
  thing_name text not null references things on delete cascade,
  since bigint not null,
  until bigint,
  primary key (thing_name, since)
);
create index hub_absences_age on hub_absences (until) where until is not null;

-- Of hubs that are away now only this is known: when they were heard last.
insert into hub_absences (tenant, thing_name, since)
  select tenant, thing_name, seen_at from things where not online and seen_at is not null;
