-- Whether a hub lost its connection because its gateway ended: it is expected to reconnect, and commands of rules wait for it.
alter table hub_absences add column with_gateway boolean not null default false;
