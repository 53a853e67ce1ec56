-- Limits of any measured value of a device, by the quantity's path: see contract/resources/peripheral.ts.
alter table peripherals add column value_limits jsonb;
