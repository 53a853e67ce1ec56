-- The quantity of a device that a home takes for the temperature outdoors. It outlives the device, as what was measured does.
create table outdoor_sensors (
  tenant uuid not null,
  home_id text not null,
  peripheral_uid text not null,
  field text not null,
  primary key (tenant, home_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
