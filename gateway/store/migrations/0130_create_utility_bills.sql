-- Bills of the power company as people entered them: see contract/resources/utility-bill.ts.
create table utility_bills (
  tenant uuid not null,
  home_id text not null,
  utility_bill_id text not null,
  supply_no text not null,
  -- Both inclusive, days since 1970-01-01.
  from_day integer not null,
  through_day integer not null,
  -- kWh and kW by band.
  kwh jsonb not null,
  peak_kw jsonb not null,
  power_factor double precision,
  capacities jsonb,
  total double precision not null,
  version integer not null default 1,
  primary key (tenant, home_id, utility_bill_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade,
  check (through_day >= from_day)
);
create index utility_bills_of_supply on utility_bills (tenant, home_id, supply_no, from_day);
