-- Views of the device list that a person named: see contract/procedures/personal.ts.
alter table personal_configs add column saved_views jsonb not null default '[]';
