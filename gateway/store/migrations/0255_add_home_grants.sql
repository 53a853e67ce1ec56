-- Rights of a person at single sites, in addition to `permissions`, which hold at every site: [{HomeIDs, Permissions}].
alter table users add column home_grants jsonb not null default '[]';
