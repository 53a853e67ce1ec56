-- What a person may say about a device beyond its name and room (§3): see contract/resources/peripheral.ts.
alter table peripherals
  add column voltage real,
  add column phase_electric_power integer,
  add column index_name text,
  add column index_color text,
  add column warning_threshold jsonb;
