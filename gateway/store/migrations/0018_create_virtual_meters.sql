-- Meters that are sums and differences of others of their home; terms as in contract/resources/virtual-meter.ts. They never
-- count in the home's total.
create table virtual_meters (
  tenant uuid not null,
  virtual_meter_id text not null,
  home_id text not null,
  virtual_meter_name text not null,
  terms jsonb not null,
  primary key (tenant, virtual_meter_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index virtual_meters_name on virtual_meters (tenant, home_id, lower(virtual_meter_name));
