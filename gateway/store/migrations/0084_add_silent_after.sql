-- Minutes without a report after which a device is silent although its hub is there; null for as its kind does.
alter table peripherals add column silent_after integer;
