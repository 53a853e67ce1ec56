-- The log of state changes in the order in which it was written, for whoever replays it. Two changes of a field in one moment of
-- the device's clock are two rows. Per device the order is that of commits: its writers hold its row of device_status.
--
-- before   null for the first value that is known of a field: no change, but what the next one is a change of
-- late     written by a report that came after a newer one: it tells of the past, and nothing acts on it
alter table device_events
  add column seq bigint generated always as identity,
  add column late boolean not null default false,
  drop constraint device_events_pkey,
  add primary key (tenant, peripheral_uid, timestamp, seq);

-- What came after a position of a device, and what a field was at a moment.
create index device_events_replay on device_events (tenant, peripheral_uid, seq);
create index device_events_field on device_events (tenant, peripheral_uid, field, timestamp, seq);
