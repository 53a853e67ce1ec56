-- When a gateway took it upon itself to send an update's command, so that several gateways of one database send it once, and
-- another does when that one has died. Null: not yet, or the hub may have forgotten it.
alter table ota_updates add column sent_at bigint;

-- For those that were kept long enough.
create index ota_jobs_ended on ota_jobs (ended_at) where ended_at is not null;
