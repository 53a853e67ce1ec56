-- Minutes without a report after which a device is silent although its hub is there; null for as its kind does.
alter table peripherals add column silent_after integer;

-- A letter q of meter_days.quality is an interval with a quarantined reading, which is missing until somebody decides: the
-- days that were computed before are computed again.
insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
select meter_id, timestamp, timestamp from quarantined_readings where decision is null and reason in ('jump', 'glitch');
